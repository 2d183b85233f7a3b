package dev.holdfast.indexing.sweep;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import java.io.IOException;
import java.util.List;

/// What the sweep asks an indexing node about the shards it owns (§6).
public interface SweptShards {
  /// Tells the owner of a shard which blobs were seen in its folder: it deletes what nobody holds,
  /// after the grace.
  ///
  /// @return how many of them it wants to be told of again when a grace is over: 0 when it keeps
  ///   account itself, or all are of the newest commit
  /// @throws dev.holdfast.world.Refusal when the shard is not here
  int found(ShardId shard, List<BlobId> blobs) throws IOException, InterruptedException;

  /// The shards of this node whose newest commit in the store needs no log but this node's own.
  List<ShardId> settled() throws IOException, InterruptedException;
}
