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
  /// As [IndexingShards#write(ShardId, List)]; what an earlier attempt did is not done again, and
  /// its results are answered.
  List<WriteResult> write(ShardId shard, WriteAttempt attempt, List<WriteOperation> operations)
      throws IOException, InterruptedException;

  @Override
  default List<WriteResult> write(ShardId shard, List<WriteOperation> operations)
      throws IOException, InterruptedException {
    return write(shard, WriteAttempt.ONLY, operations);
  }
}
