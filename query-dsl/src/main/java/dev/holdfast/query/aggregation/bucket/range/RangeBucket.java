package dev.holdfast.query.aggregation.bucket.range;

import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Results;
import java.io.IOException;
import java.util.Comparator;

/// A range with what was counted in it.
///
/// @param from negative infinity for open
/// @param to positive infinity for open; not in the range
/// @param place in the request, to tell equal ranges apart
record RangeBucket(String key, double from, double to, int place, long count, Results children) {
  static final Comparator<RangeBucket> ORDER =
      Comparator.comparingDouble(RangeBucket::from)
          .thenComparingDouble(RangeBucket::to)
          .thenComparingInt(RangeBucket::place);

  RangeBucket merge(RangeBucket other) {
    return new RangeBucket(
        key, from, to, place, count + other.count, children.merge(other.children));
  }

  RangeBucket with(long counted, Results results) {
    return new RangeBucket(key, from, to, place, counted, results);
  }

  void write(WireOutput out) throws IOException {
    out.writeString(key);
    out.writeLong(Double.doubleToRawLongBits(from));
    out.writeLong(Double.doubleToRawLongBits(to));
    out.writeVInt(place);
    out.writeVLong(count);
    children.write(out);
  }

  static RangeBucket read(PartialInput in, AggregationTree tree) throws IOException {
    WireInput data = in.data();
    String key = data.readString();
    double from = Double.longBitsToDouble(data.readLong());
    double to = Double.longBitsToDouble(data.readLong());
    int place = data.readVInt();
    long count = data.readVLong();
    return new RangeBucket(key, from, to, place, count, tree.read(in));
  }
}
