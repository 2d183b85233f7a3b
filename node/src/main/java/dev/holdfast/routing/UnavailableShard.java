package dev.holdfast.routing;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Why a shard can't be reached: it is not there for now.
final class UnavailableShard {
  private UnavailableShard() {}

  /// @param state as this node knows it: the whole tier may be away (§7)
  static Refusal unavailable(
      ClusterState state, ShardId shard, Duration waited, @Nullable Throwable why) {
    String absence = Role.INDEX.absence(state);
    return new Refusal(
        ErrorType.UNAVAILABLE_SHARDS,
        shard
            + " primary shard is not active Timeout: ["
            + waited.toSeconds()
            + "s]"
            + (absence.isEmpty() ? "" : ": " + absence),
        why);
  }
}
