package dev.holdfast.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// A refusal on its way to the node that called: type, reason, metadata and causes.
final class RefusalJson {
  private static final int CAUSES_MAX = 10;

  private RefusalJson() {}

  static byte[] bytes(Refusal refusal) {
    return Json.bytes(json(refusal, 0));
  }

  private static ObjectNode json(Refusal refusal, int depth) {
    ObjectNode json = Json.object();
    json.put("type", refusal.type().name()).put("reason", refusal.reason());
    json.put("status", refusal.type().status());
    json.put("is_wrapper", refusal.isWrapper());
    json.set("metadata", Json.MAPPER.valueToTree(refusal.metadata()));
    Throwable cause = refusal.getCause();
    if (cause != null && depth < CAUSES_MAX) {
      json.set("cause", json(ErrorBody.refusal(cause), depth + 1));
    }
    return json;
  }

  static Refusal read(byte[] bytes) {
    return refusal(Json.parse(bytes));
  }

  private static Refusal refusal(JsonNode json) {
    ErrorType type = ErrorType.named(json.path("type").asText(), json.path("status").asInt());
    String reason = json.path("reason").asText();
    @Nullable Refusal cause = json.has("cause") ? refusal(json.path("cause")) : null;
    Refusal refusal =
        cause != null && json.path("is_wrapper").asBoolean()
            ? Refusal.around(type, reason, cause)
            : new Refusal(type, reason, cause);
    json.path("metadata")
        .properties()
        .forEach(
            e -> refusal.with(e.getKey(), Json.MAPPER.convertValue(e.getValue(), Object.class)));
    return refusal;
  }
}
