package dev.holdfast.routing;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Why a shard can't be reached: it is not there for now.
final class UnavailableShard {
  private UnavailableShard() {}

  static Refusal unavailable(ShardId shard, Duration waited, @Nullable Throwable why) {
    return new Refusal(
        ErrorType.UNAVAILABLE_SHARDS,
        shard + " primary shard is not active Timeout: [" + waited.toSeconds() + "s]",
        why);
  }
}
