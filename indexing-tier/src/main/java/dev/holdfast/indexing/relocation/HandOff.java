package dev.holdfast.indexing.relocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.indexing.mark.UploadMarking;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changes of a shard's ownership that its owner makes (§3.2, relocations). Each is written so that
/// doing it twice, or doing it when somebody else has changed the owner, does no harm.
final class HandOff {
  private HandOff() {}

  /// The last step of a move: the target owns the shard, under a new primary term, and the state
  /// knows the blob that it opens. Changes nothing when the shard is not moving from this owner any
  /// more.
  ///
  /// @param mark of the owner's last blob; null when the state knows it
  static void complete(Metadata metadata, ShardId shard, String owner, @Nullable UploadMark mark)
      throws InterruptedException {
    ClusterState _ =
        metadata.update(
            "shard " + shard + " moves",
            state -> {
              ShardAssignment now = state.assignment(shard);
              String target = now.target();
              if (!now.owner().equals(owner) || !state.members().containsKey(target)) {
                return state;
              }
              ClusterState marked =
                  mark == null || mark.primaryTerm() != term(state, shard)
                      ? state
                      : UploadMarking.withMark(state, shard, mark);
              return raised(marked.withAssignment(shard, now.withOwner(target)), shard);
            });
  }

  /// A new term for a shard that failed here and is opened again by its owner: what was noticed
  /// before lies under other names (§4). Returns the term; the caller finds out whether it still
  /// owns the shard.
  static long raiseTerm(Metadata metadata, ShardId shard, String owner)
      throws InterruptedException {
    ClusterState after =
        metadata.update(
            "shard " + shard + " is opened again",
            state -> state.assignment(shard).owner().equals(owner) ? raised(state, shard) : state);
    return term(after, shard);
  }

  /// @throws Refusal `index_not_found_exception`
  static long term(ClusterState state, ShardId shard) {
    return index(state, shard).primaryTerms().get(shard.number());
  }

  private static ClusterState raised(ClusterState state, ShardId shard) {
    IndexMetadata index = index(state, shard);
    List<Long> terms = new ArrayList<>(index.primaryTerms());
    terms.set(shard.number(), terms.get(shard.number()) + 1);
    return state.withIndex(index.withPrimaryTerms(terms));
  }

  private static IndexMetadata index(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    if (index == null || !index.id().equals(shard.index())) {
      throw Refusal.indexNotFound(shard.index().name());
    }
    return index;
  }
}
