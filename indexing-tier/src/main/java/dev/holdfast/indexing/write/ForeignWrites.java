package dev.holdfast.indexing.write;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.ShardLayout;
import dev.holdfast.document.Routing;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.world.Refusal;
import java.util.List;

/// Writes of documents that a shard has given to another (decision 031), brought by a node that has
/// not heard of it.
public final class ForeignWrites {
  private ForeignWrites() {}

  /// @param index as it is known while the shard's gate is passed: the shard is not divided before
  ///   the write has left it
  /// @throws Refusal as [ShardNotHere] when one of them is: nothing was done
  public static void requireNone(
      IndexMetadata index, ShardId shard, List<WriteOperation> operations) {
    if (index.split() == null) {
      return;
    }
    ShardLayout layout = index.layout();
    for (WriteOperation operation : operations) {
      int number = Routing.shard(operation.id(), operation.routing(), layout, index.settings());
      if (number != shard.number()) {
        throw ShardNotHere.of(shard);
      }
    }
  }
}
