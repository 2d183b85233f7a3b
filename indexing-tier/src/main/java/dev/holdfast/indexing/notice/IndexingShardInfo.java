package dev.holdfast.indexing.notice;

import dev.holdfast.clusterstate.ShardId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What an operator sees of an indexing shard on its node.
///
/// @param state `open`, `hollow`, `opening`, `closed` or `failed`
/// @param open more of an open one; null when it is not open
public record IndexingShardInfo(
    ShardId shard, String state, long primaryTerm, @Nullable Open open) {
  /// An open shard.
  ///
  /// @param generation of the newest commit; -1 for none
  /// @param uploadedGeneration of the newest commit in the store; -1 for none
  /// @param pendingCommits in virtual batches, not in the store
  /// @param pendingBytes of those batches
  /// @param logBytes of operations that only the log has
  /// @param replayMillis thread time that was spent on operations that no upload covers or is about
  ///   to: a recovery would spend it again
  /// @param idleMillis since the last write
  /// @param writeLoad threads that its writes keep busy, lately
  /// @param bytes of the newest commit
  /// @param opened how it was opened
  /// @param copies by member
  public record Open(
      long generation,
      long uploadedGeneration,
      int pendingCommits,
      long pendingBytes,
      long logOperations,
      long logBytes,
      long replayMillis,
      long idleMillis,
      double writeLoad,
      long bytes,
      Opened opened,
      SortedMap<String, CopySight> copies) {
    public Open {
      copies = Collections.unmodifiableSortedMap(new TreeMap<>(copies));
    }
  }

  /// @param fromGeneration the commit it was recovered from; 0 for none
  /// @param replayed operations out of the log
  /// @param millis the whole opening
  public record Opened(long fromGeneration, long replayed, long millis) {}

  /// What the indexing shard knows of a search copy.
  ///
  /// @param generation the newest commit that it serves; -1: none that this owner told it of
  /// @param lagMillis how long the oldest commit that it does not serve has been durable
  /// @param inUse commits that it reads, points in time included
  public record CopySight(long generation, long lagMillis, SortedSet<Long> inUse) {}
}
