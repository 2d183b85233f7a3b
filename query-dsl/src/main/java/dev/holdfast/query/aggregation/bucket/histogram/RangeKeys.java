package dev.holdfast.query.aggregation.bucket.histogram;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

/// The keys of a histogram that ranges of documents reach over.
final class RangeKeys {
  private RangeKeys() {}

  /// Adds the keys from one end of a range to the other.
  @FunctionalInterface
  interface Filler {
    /// @param least an end as a doc value; the least there is when the range has none
    void add(End least, End greatest, KeySet into);
  }

  /// One end of a range.
  ///
  /// @param isOpen whether the range has no such end
  record End(long docValue, boolean isOpen) {}

  /// A histogram over ranges, at work on one shard.
  static Collecting collecting(
      BoundField field,
      QueryContext context,
      AggregationTree children,
      Filler filler,
      LongFunction<Object> shownKey,
      HistogramCollecting.Finish finish)
      throws IOException {
    return new KeyCollecting(
        segment -> open(segment, field, filler),
        children.group(context),
        (found, _, below) -> {
          List<Bucket> buckets = new ArrayList<>(found.size());
          for (KeyCollecting.Found each : found) {
            buckets.add(each.bucket(shownKey.apply(each.key()), below));
          }
          buckets.sort(Bucket.BY_KEY);
          return finish.of(buckets);
        });
  }

  private static KeyCollecting.Keys open(LeafReaderContext segment, BoundField field, Filler filler)
      throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(segment.reader(), field.field());
    return (doc, into) -> {
      if (values.advanceExact(doc)) {
        for (int i = values.docValueCount(); i > 0; i--) {
          BytesRef range = values.lookupOrd(values.nextOrd());
          filler.add(end(range, 0), end(range, range.length / 2), into);
        }
      }
    };
  }

  private static End end(BytesRef range, int offset) {
    int at = range.offset + offset;
    if (range.length == 2 * Integer.BYTES) {
      int end = NumericUtils.sortableBytesToInt(range.bytes, at);
      return new End(end, end == (offset == 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE));
    }
    long end = NumericUtils.sortableBytesToLong(range.bytes, at);
    return new End(end, end == (offset == 0 ? Long.MIN_VALUE : Long.MAX_VALUE));
  }
}
