package dev.holdfast.query.aggregation.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.metric.Percentiles;
import dev.holdfast.query.aggregation.metric.SimpleValue;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A function over a window of numbers that moves along a histogram's buckets. The functions are
/// those of Elasticsearch's `MovingFunctions`; anything else of a script is refused.
///
/// @param window how many buckets before this one
/// @param shift moves the window: 0 leaves this bucket out
public record MovingFunction(
    Label label,
    BucketPath path,
    BucketPath.Gaps gaps,
    int window,
    int shift,
    MovingFunctions function,
    List<Double> arguments,
    DisplayFormat shown)
    implements PipelineAggregation.Parent {
  private static final Pattern CALL =
      Pattern.compile(
          "\\s*(?:return\\s+)?MovingFunctions\\.(\\w+)\\s*\\(\\s*values\\s*(?:,((?:[^()]|\\([^()]*\\))*))?\\)\\s*;?\\s*");

  public static PipelineAggregation parse(Label label, JsonObject body) {
    BucketPath path = BucketPath.parse(body);
    JsonNode script = body.required("script");
    String source = script.isObject() ? script.path("source").asText() : script.asText();
    body.required("window");
    int window = body.integer("window", 0);
    if (window <= 0) {
      throw Refusal.badArgument("[window] must be a positive, non-zero integer.");
    }
    DisplayFormat shown = DisplayFormat.computed(body);
    Matcher call = CALL.matcher(source);
    if (!call.matches()) {
      throw Refusal.badArgument(
          "[moving_fn] scripts other than a call of MovingFunctions are not supported: ["
              + source
              + "]");
    }
    List<Double> arguments = new ArrayList<>();
    if (call.group(2) != null) {
      for (String argument : call.group(2).split(",", -1)) {
        String text = argument.trim();
        // Only the standard deviation takes the mean, which it can find by itself.
        if (!text.startsWith("MovingFunctions")) {
          arguments.add(Percentiles.number(text));
        }
      }
    }
    return new MovingFunction(
        label,
        path,
        BucketPath.Gaps.parse(body),
        window,
        body.integer("shift", 0),
        function(call.group(1)),
        List.copyOf(arguments),
        shown);
  }

  private static MovingFunctions function(String name) {
    for (MovingFunctions function : MovingFunctions.values()) {
      if (function.name().replace("_", "").equals(name.toUpperCase(Locale.ROOT))) {
        return function;
      }
    }
    throw Refusal.badArgument("[moving_fn] knows no function [MovingFunctions." + name + "]");
  }

  @Override
  public String kind() {
    return "moving_fn";
  }

  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    List<Double> numbers = new ArrayList<>();
    List<Boolean> isSkipped = new ArrayList<>();
    for (Bucket bucket : buckets) {
      Double number = BucketPath.number(bucket, path.path(), gaps);
      isSkipped.add(number == null);
      if (number != null) {
        numbers.add(number);
      }
    }
    List<Bucket> computed = new ArrayList<>(buckets.size());
    int place = 0;
    for (int i = 0; i < buckets.size(); i++) {
      if (isSkipped.get(i)) {
        computed.add(buckets.get(i));
        continue;
      }
      int from = Math.clamp(place - window + (long) shift, 0, numbers.size());
      int to = Math.clamp(place + (long) shift, from, numbers.size());
      double value = function.of(numbers.subList(from, to), arguments);
      place++;
      Bucket bucket = buckets.get(i);
      computed.add(
          bucket.withChildren(bucket.children().with(label, SimpleValue.of(value, shown))));
    }
    return computed;
  }
}
