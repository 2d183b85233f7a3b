package dev.holdfast.clusterstate;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Shards that were restored out of the cluster's own store and are read before the store has
/// copied what they begin with (decision 038): until then their blobs are those of the snapshot,
/// which stays.
///
/// @param manifest key of the snapshot, which says what each shard begins with
/// @param shards those whose copies are not known to be there, by number; one at least
public record LentBlobs(String manifest, SortedSet<Integer> shards) {
  public LentBlobs {
    shards = Collections.unmodifiableSortedSet(new TreeSet<>(shards));
  }

  /// What shards of an index are lent; null for nothing.
  public static @Nullable LentBlobs of(IndexMetadata index) {
    IndexOrigin origin = index.origin();
    return origin == null ? null : origin.lent();
  }

  /// Whether a shard may have to be read in its snapshot. What is not, or not any more, never is.
  public static boolean areLent(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    LentBlobs lent = index == null || !index.id().equals(shard.index()) ? null : of(index);
    return lent != null && lent.shards.contains(shard.number());
  }

  /// A state that knows that all copies of a shard are there.
  public static ClusterState copied(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    IndexOrigin origin = index == null ? null : index.origin();
    return index == null || origin == null || !areLent(state, shard)
        ? state
        : state.withIndex(
            index.withOrigin(origin.withCopied(shard.number()), index.primaryTerms()));
  }

  @Nullable LentBlobs without(int number) {
    SortedSet<Integer> left = new TreeSet<>(shards);
    left.remove(number);
    return left.isEmpty() ? null : new LentBlobs(manifest, left);
  }
}
