package dev.holdfast.query.aggregation.metric;

import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.world.StopSignal;
import java.io.IOException;

/// Central moments of several numbers that come together, up to the fourth, and their joint second
/// ones: grown row by row and merged pairwise (Pébay, *Formulas for robust, one-pass parallel
/// computation of covariances and arbitrary-order statistical moments*).
final class MatrixSums {
  /// An array of the square of more would have no length.
  static final int SIZE_MAX = 46_340;

  private final int size;
  private long count;
  private final double[] totals;
  private final double[] means;
  private final double[] seconds;
  private final double[] thirds;
  private final double[] fourths;
  private final double[] joint;

  MatrixSums(int size) {
    this.size = size;
    totals = new double[size];
    means = new double[size];
    seconds = new double[size];
    thirds = new double[size];
    fourths = new double[size];
    joint = new double[size * size];
  }

  /// What sums of so many numbers hold.
  static long bytes(int size) {
    return Double.BYTES * (long) size * (size + 5L);
  }

  long bytes() {
    return bytes(size);
  }

  long count() {
    return count;
  }

  double mean(int i) {
    return means[i];
  }

  double variance(int i) {
    return seconds[i] / (count - 1);
  }

  double skewness(int i) {
    return Math.sqrt((double) count) * thirds[i] / Math.pow(seconds[i], 1.5);
  }

  double kurtosis(int i) {
    return count * fourths[i] / (seconds[i] * seconds[i]);
  }

  double covariance(int i, int j) {
    return i == j ? variance(i) : joint[i * size + j] / (count - 1);
  }

  double correlation(int i, int j) {
    return i == j ? 1 : covariance(i, j) / (Math.sqrt(variance(i)) * Math.sqrt(variance(j)));
  }

  void add(double[] row) {
    double before = count;
    double n = ++count;
    double[] apart = new double[size];
    for (int i = 0; i < size; i++) {
      StopSignal.pollForCancelling(); // a row costs the square of its numbers
      totals[i] += row[i];
      apart[i] = row[i] * n - totals[i];
      for (int j = 0; j < i && count > 1; j++) {
        double added = 1 / (n * before) * apart[j] * apart[i];
        joint[i * size + j] += added;
        joint[j * size + i] += added;
      }
      double delta = row[i] - means[i];
      double step = delta / n;
      double term = delta * step * before;
      means[i] += step;
      fourths[i] +=
          term * step * step * (n * n - 3 * n + 3)
              + 6 * step * step * seconds[i]
              - 4 * step * thirds[i];
      thirds[i] += term * step * (n - 2) - 3 * step * seconds[i];
      seconds[i] += delta * (row[i] - means[i]);
    }
  }

  MatrixSums copy() {
    return new MatrixSums(size).plus(this);
  }

  /// Adds the rows of another of the same size.
  MatrixSums plus(MatrixSums other) {
    if (other.count == 0) {
      return this;
    }
    double a = count;
    double b = other.count;
    double n = a + b;
    mergeJoint(other, a, b);
    for (int i = 0; i < size; i++) {
      totals[i] += other.totals[i];
      double d = other.means[i] - means[i];
      double d2 = d * d;
      // Summed from left to right: the last digits are Elasticsearch's.
      fourths[i] =
          fourths[i]
              + other.fourths[i]
              + d2 * d2 * a * b * (a * a - a * b + b * b) / (n * n * n)
              + 6 * d2 * (a * a * other.seconds[i] + b * b * seconds[i]) / (n * n)
              + 4 * d * (a * other.thirds[i] - b * thirds[i]) / n;
      thirds[i] =
          thirds[i]
              + other.thirds[i]
              + d2 * d * a * b * (a - b) / (n * n)
              + 3 * d * (a * other.seconds[i] - b * seconds[i]) / n;
      seconds[i] = seconds[i] + other.seconds[i] + d2 * a * b / n;
      means[i] = a == 0 ? other.means[i] : (a * means[i] + b * other.means[i]) / n;
    }
    count += other.count;
    return this;
  }

  private void mergeJoint(MatrixSums other, double a, double b) {
    double weight = a * b / (a + b);
    double[] apart = new double[size];
    for (int i = 0; i < size; i++) {
      apart[i] = a == 0 ? 0 : other.totals[i] / b - totals[i] / a;
    }
    for (int i = 0; i < size; i++) {
      StopSignal.pollForCancelling();
      for (int j = 0; j < i; j++) {
        int at = i * size + j;
        joint[at] = joint[at] + (other.joint[at] + weight * apart[j] * apart[i]);
        joint[j * size + i] = joint[at];
      }
    }
  }

  void write(WireOutput out) throws IOException {
    out.writeVInt(size);
    out.writeVLong(count);
    for (double[] part : parts()) {
      for (double number : part) {
        out.writeLong(Double.doubleToRawLongBits(number));
      }
    }
  }

  static MatrixSums read(WireInput in) throws IOException {
    int size = in.readLength();
    long count = in.readVLong();
    in.check(bytes(size));
    MatrixSums sums = new MatrixSums(size);
    sums.count = count;
    for (double[] part : sums.parts()) {
      for (int i = 0; i < part.length; i++) {
        part[i] = Double.longBitsToDouble(in.readLong());
      }
    }
    return sums;
  }

  private double[][] parts() {
    return new double[][] {totals, means, seconds, thirds, fourths, joint};
  }
}
