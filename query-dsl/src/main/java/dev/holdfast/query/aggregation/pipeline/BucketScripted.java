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
import dev.holdfast.script.context.BucketScript;
import dev.holdfast.script.context.BucketSelectorScript;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `bucket_script`: a value of each bucket made of its metrics; `bucket_selector`: the buckets that
/// a script keeps. Runs once a bucket, after everything is merged.
///
/// @param paths of metrics, by the names that the script knows them by
/// @param isSelector whether the script says which buckets are kept
public record BucketScripted(
    Label label,
    Map<String, String> paths,
    ScriptSource script,
    BucketPath.Gaps gaps,
    DisplayFormat shown,
    boolean isSelector)
    implements PipelineAggregation.Parent {

  public static PipelineAggregation parseScript(Label label, JsonObject body) {
    return parse(label, body, DisplayFormat.computed(body), false);
  }

  public static PipelineAggregation parseSelector(Label label, JsonObject body) {
    return parse(label, body, DisplayFormat.PLAIN_DOUBLE, true);
  }

  private static PipelineAggregation parse(
      Label label, JsonObject body, DisplayFormat shown, boolean isSelector) {
    Map<String, String> paths = paths(body.take("buckets_path"));
    JsonNode script = body.take("script");
    if (paths.isEmpty() || script == null) {
      throw Refusal.badArgument(
          "Missing required field ["
              + (script == null ? "script" : "buckets_path")
              + "] for "
              + (isSelector ? "bucket_selector" : "bucket_script")
              + " aggregation ["
              + label.name()
              + "]");
    }
    return new BucketScripted(
        label, paths, ScriptSource.parse(script), BucketPath.Gaps.parse(body), shown, isSelector);
  }

  private static Map<String, String> paths(@Nullable JsonNode json) {
    Map<String, String> paths = new LinkedHashMap<>();
    switch (json) {
      case null -> {}
      case JsonNode text when text.isTextual() -> paths.put("_value", text.asText());
      case JsonNode list when list.isArray() -> {
        for (int i = 0; i < list.size(); i++) {
          paths.put("_value" + i, path(list.get(i)));
        }
      }
      default -> json.properties().forEach(e -> paths.put(e.getKey(), path(e.getValue())));
    }
    return paths;
  }

  private static String path(JsonNode given) {
    if (!given.isTextual()) {
      throw Refusal.badArgument("[buckets_path] must hold texts, but holds [" + given + "]");
    }
    return given.asText();
  }

  @Override
  public String kind() {
    return isSelector ? "bucket_selector" : "bucket_script";
  }

  @Override
  public @Nullable BucketPath path() {
    return null;
  }

  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    Constructor<?> compiled =
        Scripts.compiled(script, isSelector ? BucketSelectorScript.SHAPE : BucketScript.SHAPE);
    List<Bucket> computed = new ArrayList<>(buckets.size());
    for (Bucket bucket : buckets) {
      Map<String, Object> params = params(bucket);
      if (params == null) {
        computed.add(bucket);
      } else if (!isSelector) {
        computed.add(scripted(bucket, params, compiled));
      } else if (Scripts.instance(BucketSelectorScript.class, compiled, params).execute()) {
        computed.add(bucket);
      }
    }
    return computed;
  }

  private Bucket scripted(Bucket bucket, Map<String, Object> params, Constructor<?> compiled) {
    Number number = Scripts.instance(BucketScript.class, compiled, params).execute();
    return number == null
        ? bucket
        : bucket.withChildren(
            bucket.children().with(label, SimpleValue.of(number.doubleValue(), shown)));
  }

  /// The metrics of a bucket beside the parameters of the script. A selector is told of one that is
  /// missing that it is no number.
  ///
  /// @return null when one is missing and buckets with gaps are left alone
  private @Nullable Map<String, Object> params(Bucket bucket) {
    Map<String, Object> params = script.ownParams();
    for (Map.Entry<String, String> path : paths.entrySet()) {
      Double number = BucketPath.number(bucket, path.getValue(), gaps);
      if (number == null && !isSelector) {
        return null;
      }
      params.put(path.getKey(), number == null ? Double.NaN : number);
    }
    return params;
  }
}
