package dev.holdfast.query.aggregation.metric;

import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import java.io.IOException;

/// Count, sum, extremes and sum of squares of numbers; sums carry what rounding lost (Kahan), so
/// that the order of additions hardly matters.
///
/// @param min positive infinity without numbers
/// @param max negative infinity without numbers
public record Moments(
    long count,
    double sum,
    double sumLost,
    double min,
    double max,
    double squares,
    double squaresLost) {
  static final Moments NONE =
      new Moments(0, 0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, 0);

  Moments merge(Moments other) {
    double[] sums = {sum, sumLost};
    add(sums, other.sum, other.sumLost);
    double[] squareSums = {squares, squaresLost};
    add(squareSums, other.squares, other.squaresLost);
    return new Moments(
        count + other.count,
        sums[0],
        sums[1],
        Math.min(min, other.min),
        Math.max(max, other.max),
        squareSums[0],
        squareSums[1]);
  }

  public double total() {
    return whole(sum, sumLost);
  }

  double totalOfSquares() {
    return whole(squares, squaresLost);
  }

  public double average() {
    return total() / count;
  }

  void write(WireOutput out) throws IOException {
    out.writeVLong(count);
    for (double number : new double[] {sum, sumLost, min, max, squares, squaresLost}) {
      out.writeLong(Double.doubleToRawLongBits(number));
    }
  }

  static Moments read(WireInput in) throws IOException {
    return new Moments(
        in.readVLong(), number(in), number(in), number(in), number(in), number(in), number(in));
  }

  /// Adds to `sums`, a sum and what it lost.
  static void add(double[] sums, double value, double valueLost) {
    double corrected = value + (sums[1] + valueLost);
    double updated = sums[0] + corrected;
    if (Double.isFinite(updated)) {
      sums[1] = corrected - (updated - sums[0]);
      sums[0] = updated;
    } else {
      sums[0] += value;
    }
  }

  private static double whole(double sum, double lost) {
    return Double.isFinite(sum) ? sum + lost : sum;
  }

  private static double number(WireInput in) throws IOException {
    return Double.longBitsToDouble(in.readLong());
  }
}
