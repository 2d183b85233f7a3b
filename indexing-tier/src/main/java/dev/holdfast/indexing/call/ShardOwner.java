package dev.holdfast.indexing.call;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import java.io.IOException;
import java.util.List;

/// The indexing shards of one node, as those see it who bring requests to the owners of shards: it
/// is told which attempt at a write it gets.
public interface ShardOwner extends IndexingShards {
  /// Of who does not care which documents a shard has given away.
  long ANY = -1;

  /// As [IndexingShards#write(ShardId, List)]; what an earlier attempt did is not done again, and
  /// its results are answered.
  List<WriteResult> write(ShardId shard, WriteAttempt attempt, List<WriteOperation> operations)
      throws IOException, InterruptedException;

  @Override
  default List<WriteResult> write(ShardId shard, List<WriteOperation> operations)
      throws IOException, InterruptedException {
    return write(shard, WriteAttempt.ONLY, operations);
  }

  /// The document of that id as of now. A shard that was divided has it no more, perhaps: who
  /// brings the request says since when the shard has the documents that it believes it to have.
  ///
  /// @param dividedSince `IndexMetadata.dividedSince` of the shard, or [#ANY]
  /// @throws dev.holdfast.world.Refusal when the shard is not here, or has other documents
  RealTimeDocument get(ShardId shard, long dividedSince, String id) throws IOException;

  @Override
  default RealTimeDocument get(ShardId shard, String id) throws IOException {
    return get(shard, ANY, id);
  }

  /// Returns when all writes so far are searchable in every search copy.
  ///
  /// @param stateVersion of the cluster state that the owner must know first, or [#ANY_STATE]; not
  ///   heeded by a refresh that awaits and does not say since when the shard is divided
  /// @param dividedSince as above: writes to documents that the shard has given away are refreshed
  ///   elsewhere
  /// @param awaits by the next scheduled refresh or sooner; else by one that begins now
  /// @throws dev.holdfast.world.Refusal as above
  void refresh(ShardId shard, long stateVersion, long dividedSince, boolean awaits)
      throws IOException, InterruptedException;

  @Override
  default void refresh(ShardId shard, long stateVersion) throws IOException, InterruptedException {
    refresh(shard, stateVersion, ANY, false);
  }

  @Override
  default void awaitRefresh(ShardId shard) throws IOException, InterruptedException {
    refresh(shard, ANY_STATE, ANY, true);
  }
}
