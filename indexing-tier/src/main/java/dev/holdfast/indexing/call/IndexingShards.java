package dev.holdfast.indexing.call;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import java.io.IOException;
import java.util.List;

/// The indexing shards of this node: what the proxy and the APIs call. Every method blocks and
/// names the shard; a shard that is not here is refused (`shard_not_found_exception`).
public interface IndexingShards extends IndexingReads {
  /// The version that every owner knows.
  long ANY_STATE = 0;

  /// Applies writes in order and returns when all that succeeded are durable; results in the order
  /// of `operations`.
  ///
  /// @throws dev.holdfast.world.Refusal 429 when the shard takes no more: nothing was applied
  List<WriteResult> write(ShardId shard, List<WriteOperation> operations)
      throws IOException, InterruptedException;

  /// Makes all writes so far searchable in every search copy; returns when they are.
  default void refresh(ShardId shard) throws IOException, InterruptedException {
    refresh(shard, ANY_STATE);
  }

  /// The same once the owner knows a version of the cluster state: of an index whose writes are
  /// blocked in it, everything that will ever be acknowledged is searchable then.
  void refresh(ShardId shard, long stateVersion) throws IOException, InterruptedException;

  /// Returns when all writes so far are searchable, by the next scheduled refresh or sooner.
  void awaitRefresh(ShardId shard) throws IOException, InterruptedException;

  /// Refreshes and uploads what is not uploaded.
  default void flush(ShardId shard) throws IOException, InterruptedException {
    flush(shard, ANY_STATE);
  }

  /// The same once the owner knows a version of the cluster state: of an index whose writes are
  /// blocked in it, everything that will ever be acknowledged is in the store then.
  void flush(ShardId shard, long stateVersion) throws IOException, InterruptedException;

  /// Merges segments.
  ///
  /// @param maxSegments at most so many remain; -1 for the merge policy's own mind
  void forceMerge(ShardId shard, int maxSegments, boolean onlyExpungeDeletes)
      throws IOException, InterruptedException;

  /// Returns when the shard is open.
  ///
  /// @throws dev.holdfast.world.Refusal `unavailable_shards_exception` when it does not open in
  ///   time
  void awaitOpen(ShardId shard) throws IOException, InterruptedException;

  ShardStats stats(ShardId shard) throws IOException;
}
