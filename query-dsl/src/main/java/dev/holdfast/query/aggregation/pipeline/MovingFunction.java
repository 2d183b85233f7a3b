package dev.holdfast.query.aggregation.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.metric.SimpleValue;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.context.MovingFunctionScript;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// A script over a window of numbers that moves along a histogram's buckets.
///
/// @param window how many buckets before this one
/// @param shift moves the window: 0 leaves this bucket out
public record MovingFunction(
    Label label,
    BucketPath path,
    BucketPath.Gaps gaps,
    int window,
    int shift,
    ScriptSource script,
    DisplayFormat shown)
    implements PipelineAggregation.Parent {
  public static PipelineAggregation parse(Label label, JsonObject body) {
    BucketPath path = BucketPath.parse(body);
    JsonNode script = body.required("script");
    body.required("window");
    int window = body.integer("window", 0);
    if (window <= 0) {
      throw Refusal.badArgument("[window] must be a positive, non-zero integer.");
    }
    DisplayFormat shown = DisplayFormat.computed(body);
    return new MovingFunction(
        label,
        path,
        BucketPath.Gaps.parse(body),
        window,
        body.integer("shift", 0),
        ScriptSource.parse(script),
        shown);
  }

  @Override
  public String kind() {
    return "moving_fn";
  }

  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    MovingFunctionScript function =
        Scripts.instance(
            MovingFunctionScript.class,
            Scripts.compiled(script, MovingFunctionScript.SHAPE),
            script.ownParams());
    double[] numbers = new double[buckets.size()];
    BitSet isSkipped = new BitSet(buckets.size());
    int known = 0;
    for (int i = 0; i < buckets.size(); i++) {
      Double number = BucketPath.number(buckets.get(i), path.path(), gaps);
      if (number == null) {
        isSkipped.set(i);
      } else {
        numbers[known++] = number;
      }
    }
    WideWindow wide = WideWindow.of(script, window, Arrays.copyOf(numbers, known));
    List<Bucket> computed = new ArrayList<>(buckets.size());
    int place = 0;
    for (int i = 0; i < buckets.size(); i++) {
      if (isSkipped.get(i)) {
        computed.add(buckets.get(i));
        continue;
      }
      int from = Math.clamp(place - window + (long) shift, 0, known);
      int to = Math.clamp(place + (long) shift, from, known);
      StopSignal.lookForCancelling(); // a window may be all buckets
      double value =
          wide == null
              ? function.execute(Arrays.copyOfRange(numbers, from, to))
              : wide.over(from, to);
      place++;
      Bucket bucket = buckets.get(i);
      computed.add(
          bucket.withChildren(bucket.children().with(label, SimpleValue.of(value, shown))));
    }
    return computed;
  }
}
