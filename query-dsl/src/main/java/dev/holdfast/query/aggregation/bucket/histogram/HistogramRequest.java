package dev.holdfast.query.aggregation.bucket.histogram;

import dev.holdfast.document.date.BucketSpan;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// What [HistogramPartial] needs to know of its request, whichever numbers are cut.
public interface HistogramRequest {
  AggregationTree children();

  BucketOrder order();

  long minDocCount();

  boolean isKeyed();

  /// `date_histogram`, `histogram`.
  String typeName();

  /// The time of a bucket; null where its keys are no times.
  default @Nullable BucketSpan span(Object key) {
    return null;
  }

  /// The key after one: both Long or both Double.
  Object next(Object key);

  /// The key as text, as the field shows its values.
  String text(Object key, DisplayFormat shown);

  /// The first and the last key that an answer without gaps must reach, as one shard read them in
  /// its format.
  record Reach(@Nullable Object first, @Nullable Object last) {
    static final Reach NONE = new Reach(null, null);

    Reach with(Reach other) {
      return new Reach(
          pick(first, other.first, (a, b) -> Bucket.compareKeys(a, b) <= 0 ? a : b),
          pick(last, other.last, (a, b) -> Bucket.compareKeys(a, b) >= 0 ? a : b));
    }

    private static @Nullable Object pick(
        @Nullable Object a, @Nullable Object b, BinaryOperator<Object> both) {
      return a == null ? b : b == null ? a : both.apply(a, b);
    }
  }
}
