package dev.holdfast.search;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/// A shard that could not answer, and why.
///
/// @param node ephemeral id of who was asked; empty for nobody
record ShardFailure(ShardId shard, Refusal reason, String node) {
  static ShardFailure of(ShardId shard, Exception cause) {
    return new ShardFailure(
        shard,
        switch (cause) {
          case Refusal refusal -> refusal;
          case IOException e -> new Refusal(ErrorType.IO, String.valueOf(e.getMessage()), e);
          case IllegalArgumentException e ->
              new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
          default -> new Refusal(ErrorType.INTERNAL, cause.toString(), cause);
        },
        "");
  }

  /// As an element of `_shards.failures`.
  void write(JsonGenerator out) throws IOException {
    out.writePOJO(toMap());
  }

  Map<String, Object> toMap() {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("type", reason.type().type());
    error.put("reason", reason.reason());
    error.putAll(reason.metadata());
    if (reason.type() == ErrorType.QUERY_SHARD) {
      error.putIfAbsent("index_uuid", shard.index().uuid());
      error.putIfAbsent("index", shard.index().name());
    }
    if (reason.getCause() instanceof Exception cause) {
      String type =
          cause instanceof Refusal refusal
              ? refusal.type().type()
              : cause
                  .getClass()
                  .getSimpleName()
                  .replaceAll("(?<=.)([A-Z])", "_$1")
                  .toLowerCase(java.util.Locale.ROOT);
      error.put("caused_by", Map.of("type", type, "reason", String.valueOf(cause.getMessage())));
    }
    Map<String, Object> failure = new LinkedHashMap<>();
    failure.put("shard", shard.number());
    failure.put("index", shard.index().name());
    failure.put("node", node.isEmpty() ? null : node);
    failure.put("reason", error);
    return failure;
  }
}
