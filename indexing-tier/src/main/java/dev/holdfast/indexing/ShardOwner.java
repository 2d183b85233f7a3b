package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ShardId;
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
