package dev.holdfast.node.routing;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Why a shard can't be reached: it is not there for good, or not there for now.
final class Nowhere {
  private Nowhere() {}

  /// @throws Refusal when the state knows no such shard, or its index is closed
  static void requireKnown(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    if (index == null || !index.id().equals(shard.index()) || shard.number() >= index.shards()) {
      throw new Refusal(ErrorType.SHARD_NOT_FOUND, "no such shard")
          .with("index_uuid", shard.index().uuid())
          .with("shard", Integer.toString(shard.number()))
          .with("index", shard.index().name());
    }
    if (!index.isOpen()) {
      throw new Refusal(ErrorType.INDEX_CLOSED, "closed")
          .with("index_uuid", shard.index().uuid())
          .with("index", shard.index().name());
    }
  }

  static Refusal unavailable(ShardId shard, Duration waited, @Nullable Throwable why) {
    return new Refusal(
        ErrorType.UNAVAILABLE_SHARDS,
        shard + " primary shard is not active Timeout: [" + waited.toSeconds() + "s]",
        why);
  }
}
