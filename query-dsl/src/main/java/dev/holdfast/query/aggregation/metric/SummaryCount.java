package dev.holdfast.query.aggregation.metric;

import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Partial;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// How many measurements the values of an `aggregate_metric_double` come from.
final class SummaryCount implements Collecting {
  private final BoundField field;
  private long[] counts = new long[1];

  /// @param field its metric `value_count`
  SummaryCount(BoundField field) {
    this.field = field;
  }

  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    LongColumn column = LongColumn.open(segment.reader(), field);
    return column == null ? null : new Values(column);
  }

  @Override
  public Partial result(long bucket) {
    return new ValueCount.Count(bucket < counts.length ? counts[(int) bucket] : 0);
  }

  private void add(long bucket, long docValue) {
    if (bucket >= counts.length) {
      counts = ArrayUtil.grow(counts, Math.toIntExact(bucket + 1));
    }
    counts[(int) bucket] += Math.round(field.toDouble(docValue));
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
