package dev.holdfast.query.aggregation.metric.scripted;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What scripts of a `scripted_metric` made on shards.
///
/// @param states one for each shard
/// @param value what the last script made of them; null before
record ScriptedPartial(ScriptedMetric request, List<JsonNode> states, @Nullable JsonNode value)
    implements Partial {
  @Override
  public Partial merge(Partial other) {
    List<JsonNode> all = new ArrayList<>(states);
    all.addAll(((ScriptedPartial) other).states);
    return new ScriptedPartial(request, all, null);
  }

  @Override
  public Partial reduce(Reduction reduction) {
    return new ScriptedPartial(request, states, request.reduced(states));
  }

  @Override
  public String typeName() {
    return "scripted_metric";
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    out.writeFieldName("value");
    out.writeTree(value == null ? Json.MAPPER.nullNode() : value);
  }

  @Override
  public boolean isSingleNumber() {
    return true;
  }

  @Override
  public double metric(String property) {
    if (value == null || !value.isNumber()) {
      throw Refusal.badArgument(
          "buckets_path must reference either a number value or a single value numeric metric"
              + " aggregation, but ["
              + request.name()
              + "] contains ["
              + value
              + "]");
    }
    return value.doubleValue();
  }

  @Override
  public void write(WireOutput out) throws IOException {
    out.writeVInt(states.size());
    for (JsonNode state : states) {
      out.writeString(state.toString());
    }
  }
}
