package dev.holdfast.api.indices.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;

/// The options of a data stream: `{"failure_store": {"enabled"?, "lifecycle"?}}`.
public final class StreamOptions {
  private StreamOptions() {}

  /// Checks options and returns them as they are kept.
  ///
  /// @throws Refusal `illegal_argument_exception`, `parsing_exception`
  public static ObjectNode read(JsonNode given) {
    JsonObject body = JsonObject.of("data_stream_options", given);
    ObjectNode options = Json.object();
    JsonNode store = body.take("failure_store");
    if (store != null && !store.isNull()) {
      options.set("failure_store", store(store, false));
    }
    body.done();
    return options;
  }

  /// The same of a template, where null takes away what the templates under it say.
  public static JsonNode readOfTemplate(JsonNode given) {
    if (given.isNull()) {
      return given;
    }
    JsonObject body = JsonObject.of("data_stream_options", given);
    ObjectNode options = Json.object();
    JsonNode store = body.take("failure_store");
    if (store != null) {
      options.set("failure_store", store.isNull() ? store : store(store, true));
    }
    body.done();
    return options;
  }

  private static ObjectNode store(JsonNode given, boolean isTemplate) {
    JsonObject store = JsonObject.of("failure_store", given);
    ObjectNode kept = Json.object();
    if (store.has("enabled") && !given.path("enabled").isNull()) {
      kept.put("enabled", store.bool("enabled", true));
    } else {
      JsonNode _ = store.take("enabled");
    }
    JsonNode lifecycle = store.take("lifecycle");
    if (lifecycle != null
        && (lifecycle.hasNonNull(DownsamplingRounds.ROUNDS)
            || lifecycle.hasNonNull(DownsamplingRounds.METHOD))) {
      throw Refusal.badArgument(
          "Failure store lifecycle does not support downsampling, its indices have no time series");
    }
    if (lifecycle != null && (isTemplate || !lifecycle.isNull())) {
      kept.set(
          "lifecycle",
          isTemplate
              ? StreamLifecycles.readOfTemplate(lifecycle)
              : StreamLifecycles.read(lifecycle));
    }
    store.done();
    if (kept.isEmpty()) {
      throw Refusal.badArgument(
          "[failure_store] says nothing: one of [enabled] and [lifecycle] is to be given");
    }
    return kept;
  }
}
