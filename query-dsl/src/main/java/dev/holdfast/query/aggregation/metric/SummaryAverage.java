package dev.holdfast.query.aggregation.metric;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.column.NumberBlock;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/// The mean of all measurements that the values of an `aggregate_metric_double` come from: their
/// sums by their numbers.
final class SummaryAverage implements Collecting {
  private final BoundField sumField;
  private final SummaryCount counts;
  private final BoundField countField;
  private final MomentSums sums;
  private final NumberBlock numbers;

  private SummaryAverage(BoundField sum, BoundField count, MomentSums sums, Reservation memory) {
    this.sumField = sum;
    this.countField = count;
    this.counts = new SummaryCount(count, memory);
    this.sums = sums;
    this.numbers = new NumberBlock(sum);
  }

  /// @return null when the field has single values
  static @Nullable SummaryAverage of(FieldRequest field, QueryContext context) {
    BoundField sum = field.bindSummary(context, "sum");
    BoundField count = field.bindSummary(context, "value_count");
    return sum == null || count == null
        ? null
        : new SummaryAverage(
            sum, count, new MomentSums(MomentNeeds.SUM, context.memory()), context.memory());
  }

  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    LongColumn sum = LongColumn.open(segment.reader(), sumField);
    Leaf counting = counts.leaf(segment);
    return sum == null || counting == null ? null : new Values(sum, counting);
  }

  @Override
  public Partial result(long bucket) {
    Moments summed = sums.result(bucket);
    long count = ((ValueCount.Count) counts.result(bucket)).value();
    Moments mean =
        new Moments(
            count,
            summed.sum(),
            summed.sumLost(),
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            0,
            0);
    return new MomentMetric.Result(Average.FIGURE, mean, countField.shown());
  }

  private final class Values implements Leaf {
    private final LongColumn sum;
    private final Leaf counting;

    Values(LongColumn sum, Leaf counting) {
      this.sum = sum;
      this.counting = counting;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      counting.collect(docs, from, to, bucket);
      sums.ensure(bucket);
      sum.read(docs, from, to);
      sums.add(numbers.decode(sum), sum.count, (int) bucket);
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      counting.collect(docs, buckets, count);
      for (int i = 0; i < count; i++) {
        sums.ensure(buckets[i]);
      }
      sum.readPairs(docs, count);
      double[] decoded = numbers.decode(sum);
      for (int i = 0; i < sum.count; i++) {
        sums.add(decoded[i], (int) buckets[sum.origin(i)]);
      }
    }
  }
}
