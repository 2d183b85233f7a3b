package dev.holdfast.query.aggregation.pipeline;

import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.metric.SimpleValue;
import dev.holdfast.world.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// The sum of a number over a histogram's buckets so far.
public record CumulativeSum(Label label, BucketPath path, DisplayFormat shown)
    implements PipelineAggregation.Parent {
  public static PipelineAggregation parse(Label label, JsonObject body) {
    return new CumulativeSum(label, BucketPath.parse(body), DisplayFormat.computed(body));
  }

  @Override
  public String kind() {
    return "cumulative_sum";
  }

  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    double sum = 0;
    List<Bucket> computed = new ArrayList<>(buckets.size());
    for (Bucket bucket : buckets) {
      Double number = BucketPath.number(bucket, path.path(), BucketPath.Gaps.ZEROS);
      sum += number == null ? 0 : number;
      computed.add(bucket.withChildren(bucket.children().with(label, SimpleValue.of(sum, shown))));
    }
    return computed;
  }
}
