package dev.holdfast.query.aggregation.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An aggregation over the results of others, computed once at the end. One file a kind, one line
/// in `Aggregations`.
public sealed interface PipelineAggregation {
  Label label();

  /// Its name in requests: `derivative`.
  String kind();

  /// Where its numbers are; null when it has none.
  @Nullable BucketPath path();

  /// Beside a multi-bucket aggregation: one result over its buckets (`avg_bucket`).
  non-sealed interface Sibling extends PipelineAggregation {
    @Override
    BucketPath path();

    Partial compute(Results siblings);
  }

  /// Inside a multi-bucket aggregation: changes its buckets (`derivative`, `bucket_sort`).
  non-sealed interface Parent extends PipelineAggregation {
    List<Bucket> compute(List<Bucket> buckets);
  }
}
