package dev.holdfast.api.cluster.health;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import java.util.Optional;

/// Why nobody serves a shard, in Elasticsearch's words, as far as the state tells it: the state
/// holds who owns a shard now, not how it lost an owner.
public final class UnassignedReason {
  private UnassignedReason() {}

  /// The reason; nothing where the state does not tell.
  public static Optional<String> of(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    if (index == null) {
      return Optional.empty();
    }
    boolean isOwned = !state.assignment(shard).owner().isEmpty();
    long term = index.primaryTerms().get(shard.number());
    if (index.origin() == null && term <= (isOwned ? 1 : 0)) {
      return Optional.of("INDEX_CREATED"); // it has had no owner, or has its first
    }
    // An owner is lost with its node; where others are left, the next owner is named with that.
    return !isOwned && lacksIndexNode(state) ? Optional.of("NODE_LEFT") : Optional.empty();
  }

  /// Whether no node may own shards.
  public static boolean lacksIndexNode(ClusterState state) {
    return state.members().values().stream()
        .noneMatch(member -> member.roles().contains(Role.INDEX));
  }
}
