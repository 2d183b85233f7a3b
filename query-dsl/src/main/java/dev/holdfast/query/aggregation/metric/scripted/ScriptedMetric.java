package dev.holdfast.query.aggregation.metric.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.metric.CombineScript;
import dev.holdfast.script.metric.InitScript;
import dev.holdfast.script.metric.MapScript;
import dev.holdfast.script.metric.ReduceScript;
import dev.holdfast.script.type.Shape;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `scripted_metric`: scripts make a state for each bucket of a shard, add documents to it, and
/// make the answer of what the states of all shards come to.
///
/// @param init null for a state that begins empty
public record ScriptedMetric(
    Label label,
    @Nullable ScriptSource init,
    ScriptSource map,
    ScriptSource combine,
    ScriptSource reduce)
    implements Aggregation {
  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    JsonNode given = body.take("params");
    if (given != null && !given.isObject()) {
      throw Refusal.badArgument("[scripted_metric] params must be an object");
    }
    Map<String, Object> params = given == null ? Map.of() : ScriptValues.map(given);
    JsonNode init = body.take("init_script");
    return new ScriptedMetric(
        definition.label(),
        init == null ? null : script(init, params),
        required(body, "map_script", definition, params),
        required(body, "combine_script", definition, params),
        required(body, "reduce_script", definition, params));
  }

  private static ScriptSource required(
      JsonObject body, String name, Definition definition, Map<String, Object> params) {
    JsonNode script = body.take(name);
    if (script == null) {
      throw Refusal.badArgument(
          "[" + name + "] must not be null: [" + definition.label().name() + "]");
    }
    return script(script, params);
  }

  private static ScriptSource script(JsonNode json, Map<String, Object> params) {
    ScriptSource own = ScriptSource.parse(json);
    for (String name : own.params().keySet()) {
      if (params.containsKey(name)) {
        throw Refusal.badArgument(
            "Parameter name \"" + name + "\" used in both aggregation and script parameters");
      }
    }
    Map<String, Object> all = new LinkedHashMap<>(own.params());
    all.putAll(params);
    return new ScriptSource(own.lang(), own.text(), all);
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) {
    if (init != null) {
      requireCompiled(init, InitScript.SHAPE);
    }
    requireCompiled(map, MapScript.SHAPE);
    requireCompiled(combine, CombineScript.SHAPE);
    requireCompiled(reduce, ReduceScript.SHAPE);
    return new ScriptedStates(this, context);
  }

  private static void requireCompiled(ScriptSource script, Shape shape) {
    var _ = Scripts.compiled(script, shape);
  }

  @Override
  public Partial empty() {
    return new ScriptedPartial(this, List.of(), null);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    int count = in.data().readVInt();
    List<JsonNode> states = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      states.add(Json.parse(in.data().readString()));
    }
    return new ScriptedPartial(this, states, null);
  }

  /// What a script answers for the states.
  JsonNode reduced(List<JsonNode> states) {
    List<@Nullable Object> java = new ArrayList<>();
    states.forEach(state -> java.add(ScriptValues.java(state)));
    ReduceScript script =
        Scripts.instance(
            ReduceScript.class,
            Scripts.compiled(reduce, ReduceScript.SHAPE),
            reduce.ownParams(),
            java);
    return ScriptValues.json(script.execute());
  }
}
