package dev.holdfast.query.aggregation.pipeline;

import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.metric.SimpleValue;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;

/// How much a number differs from the one some buckets before.
///
/// @param lag how many buckets before
public record SerialDifference(
    Label label, BucketPath path, BucketPath.Gaps gaps, int lag, DisplayFormat shown)
    implements PipelineAggregation.Parent {
  public static PipelineAggregation parse(Label label, JsonObject body) {
    DisplayFormat shown = DisplayFormat.computed(body);
    int lag = body.unquoted("lag").integer("lag", 1);
    if (lag <= 0) {
      throw Refusal.badArgument("Lag must be a positive, non-zero integer");
    }
    return new SerialDifference(
        label, BucketPath.parse(body), BucketPath.Gaps.parse(body), lag, shown);
  }

  @Override
  public String kind() {
    return "serial_diff";
  }

  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    List<Bucket> computed = new ArrayList<>(buckets.size());
    List<Double> numbers = new ArrayList<>(buckets.size());
    for (Bucket bucket : buckets) {
      Double number = BucketPath.number(bucket, path.path(), gaps);
      Double before = numbers.size() < lag ? null : numbers.get(numbers.size() - lag);
      numbers.add(number);
      if (number == null || before == null) {
        computed.add(bucket);
      } else {
        SimpleValue difference = SimpleValue.of(number - before, shown);
        computed.add(bucket.withChildren(bucket.children().with(label, difference)));
      }
    }
    return computed;
  }
}
