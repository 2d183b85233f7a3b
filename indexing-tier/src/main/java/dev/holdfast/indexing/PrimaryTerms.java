package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;

/// Primary terms: one owner of a shard, one term. A shard that is opened anew gets a higher one
/// first, so that what an earlier owner still writes lies under other names (§4).
final class PrimaryTerms {
  private PrimaryTerms() {}

  /// Gives every shard of every open index a new term: a node's start.
  static void raiseAll(Metadata metadata) throws InterruptedException {
    ClusterState _ =
        metadata.update(
            "new owners of all shards",
            state -> {
              ClusterState changed = state;
              for (IndexMetadata index : state.indices().values()) {
                if (index.isOpen()) {
                  List<Long> terms = index.primaryTerms().stream().map(term -> term + 1).toList();
                  changed = changed.withIndex(index.withPrimaryTerms(terms));
                }
              }
              return changed;
            });
  }

  /// Gives one shard a new term and returns it.
  static long raise(Metadata metadata, ShardId shard) throws InterruptedException {
    ClusterState after =
        metadata.update(
            "new owner of " + shard,
            state -> {
              IndexMetadata index = index(state, shard);
              List<Long> terms = new ArrayList<>(index.primaryTerms());
              terms.set(shard.number(), terms.get(shard.number()) + 1);
              return state.withIndex(index.withPrimaryTerms(terms));
            });
    return index(after, shard).primaryTerms().get(shard.number());
  }

  /// The term now.
  static long current(Metadata metadata, ShardId shard) {
    return index(metadata.current(), shard).primaryTerms().get(shard.number());
  }

  private static IndexMetadata index(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    if (index == null || !index.id().equals(shard.index())) {
      throw Refusal.indexNotFound(shard.index().name());
    }
    return index;
  }
}
