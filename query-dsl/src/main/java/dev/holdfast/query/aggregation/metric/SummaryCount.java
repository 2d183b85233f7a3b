package dev.holdfast.query.aggregation.metric;

import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.kernel.BucketCounts;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/// How many measurements the values of an `aggregate_metric_double` come from.
final class SummaryCount implements Collecting {
  private final BoundField field;
  private final BucketCounts counts;

  /// @param field its metric `value_count`
  /// @param memory of the request
  SummaryCount(BoundField field, Reservation memory) {
    this.field = field;
    this.counts = new BucketCounts(memory);
  }

  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    LongColumn column = LongColumn.open(segment.reader(), field);
    return column == null ? null : new Values(column);
  }

  @Override
  public Partial result(long bucket) {
    return new ValueCount.Count(counts.of(bucket));
  }

  private void add(long bucket, long docValue) {
    counts.add(bucket, Math.round(field.toDouble(docValue)));
  }

  private final class Values implements Leaf {
    private final LongColumn column;

    Values(LongColumn column) {
      this.column = column;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      column.read(docs, from, to);
      for (int i = 0; i < column.count; i++) {
        add(bucket, column.values[i]);
      }
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      column.readPairs(docs, count);
      for (int i = 0; i < column.count; i++) {
        add(buckets[column.origin(i)], column.values[i]);
      }
    }
  }
}
