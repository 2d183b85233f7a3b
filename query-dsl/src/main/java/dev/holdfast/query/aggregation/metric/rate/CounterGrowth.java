package dev.holdfast.query.aggregation.metric.rate;

import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import java.io.IOException;

/// A counter from its first to its last measurement in a time.
///
/// @param lost what it had counted before each time it began anew
record CounterGrowth(
    double firstMillis, double first, double lastMillis, double last, double lost) {

  /// Both times together, whichever is earlier: those of shards and indices lie side by side.
  CounterGrowth merge(CounterGrowth other) {
    return firstMillis <= other.firstMillis ? then(other) : other.then(this);
  }

  CounterGrowth then(CounterGrowth later) {
    double reset = later.first < last ? last : 0;
    return new CounterGrowth(
        firstMillis, first, later.lastMillis, later.last, lost + later.lost + reset);
  }

  /// What it gains in so many milliseconds; NaN for a single measurement.
  double in(double millis) {
    double took = lastMillis - firstMillis;
    return took > 0 ? (last - first + lost) / took * millis : Double.NaN;
  }

  void write(WireOutput out) throws IOException {
    for (double part : new double[] {firstMillis, first, lastMillis, last, lost}) {
      out.writeLong(Double.doubleToRawLongBits(part));
    }
  }

  static CounterGrowth read(WireInput in) throws IOException {
    double[] parts = new double[5];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Double.longBitsToDouble(in.readLong());
    }
    return new CounterGrowth(parts[0], parts[1], parts[2], parts[3], parts[4]);
  }
}
