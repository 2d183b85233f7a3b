package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// The lifecycle of a data stream as requests write it: `{"enabled"?, "data_retention"?}`.
final class StreamLifecycles {
  private StreamLifecycles() {}

  /// Checks a lifecycle and returns it as it is kept.
  static ObjectNode read(ObjectNode given) {
    JsonObject body = JsonObject.of("data_stream_lifecycle", given);
    ObjectNode kept = Json.object().put("enabled", body.bool("enabled", true));
    String retention = body.string("data_retention");
    if (retention != null) {
      if (!TimeValue.parse("data_retention", retention).isPositive()) {
        throw Refusal.badArgument("[data_retention] must be positive");
      }
      kept.put("data_retention", retention);
    }
    JsonNode downsampling = body.take("downsampling");
    if (downsampling != null && !downsampling.isNull() && !downsampling.isEmpty()) {
      throw Refusal.badArgument("[downsampling] of a lifecycle is not supported");
    }
    body.done();
    return kept;
  }

  static boolean isEnabled(DataStream stream) {
    ObjectNode lifecycle = stream.lifecycle();
    return lifecycle != null && lifecycle.path("enabled").asBoolean(true);
  }

  /// As it is shown.
  static ObjectNode shown(@Nullable ObjectNode lifecycle, boolean hasDefaults) {
    ObjectNode shown = Json.object();
    if (lifecycle == null) {
      return shown;
    }
    shown.put("enabled", lifecycle.path("enabled").asBoolean(true));
    if (lifecycle.hasNonNull("data_retention")) {
      String retention = lifecycle.path("data_retention").asText();
      shown.put("data_retention", retention).put("effective_retention", retention);
      shown.put("retention_determined_by", "data_stream_configuration");
    }
    if (hasDefaults) {
      ObjectNode rollover = shown.putObject("rollover");
      rollover.put("max_age", "auto").put("max_primary_shard_docs", 200_000_000);
      rollover.put("min_docs", 1).put("max_primary_shard_size", "50gb");
    }
    return shown;
  }
}
