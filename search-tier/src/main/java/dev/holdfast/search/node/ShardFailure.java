package dev.holdfast.search.node;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A shard that could not answer, and why.
///
/// @param node ephemeral id of who was asked; empty for nobody
public record ShardFailure(ShardId shard, Refusal reason, String node) {
  private static final int CAUSES_MAX = 10;

  public static ShardFailure of(ShardId shard, Exception cause) {
    CorruptObjectException damage = CorruptObjectException.in(cause);
    if (damage != null && !(cause instanceof Refusal)) {
      return new ShardFailure(shard, Refusal.corrupt(damage), "");
    }
    Refusal ofStore = ofStore(shard, cause);
    if (ofStore != null) {
      return new ShardFailure(shard, ofStore, "");
    }
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

  /// What a client is told of a shard that cannot be read because the store fails: 503, with what
  /// the store says, and nobody waits for it. Null when something else is the reason.
  public static @Nullable Refusal ofStore(ShardId shard, Exception failure) {
    if (failure instanceof Refusal) {
      return null; // it says itself what it is
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StoreException.Unavailable fault) {
        Refusal told =
            new Refusal(
                    ErrorType.NO_SHARD_AVAILABLE,
                    "No shard available for "
                        + shard
                        + ": the object store fails, "
                        + StoreTrouble.sentence(
                            fault.failure(), String.valueOf(fault.getMessage())),
                    failure)
                .with("index", shard.index().name())
                .with("shard", String.valueOf(shard.number()));
        return StoreTrouble.telling(told, fault.failure());
      }
    }
    return null;
  }

  /// The reason, with the index where Elasticsearch names it.
  public Refusal located() {
    if (reason.type() == ErrorType.QUERY_SHARD && !reason.metadata().containsKey("index_uuid")) {
      return reason.with("index_uuid", shard.index().uuid()).with("index", shard.index().name());
    }
    return reason;
  }

  private static Map<String, Object> error(Throwable failure, int depth) {
    Map<String, Object> error = new LinkedHashMap<>();
    if (failure instanceof Refusal refusal) {
      error.put("type", refusal.type().type());
      error.put("reason", refusal.reason());
      error.putAll(refusal.metadata());
    } else {
      error.put(
          "type",
          failure
              .getClass()
              .getSimpleName()
              .replaceAll("(?<=.)([A-Z])", "_$1")
              .toLowerCase(java.util.Locale.ROOT));
      error.put("reason", String.valueOf(failure.getMessage()));
    }
    if (failure.getCause() instanceof Exception cause && depth < CAUSES_MAX) {
      error.put("caused_by", error(cause, depth + 1));
    }
    return error;
  }

  /// As an element of `_shards.failures`.
  public Map<String, Object> toMap() {
    Map<String, Object> failure = new LinkedHashMap<>();
    failure.put("shard", shard.number());
    failure.put("index", shard.index().name());
    failure.put("node", node.isEmpty() ? null : node);
    failure.put("reason", error(located(), 0));
    return failure;
  }
}
