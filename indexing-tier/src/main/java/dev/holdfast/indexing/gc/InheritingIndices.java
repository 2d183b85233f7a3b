package dev.holdfast.indexing.gc;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;

/// Indices that are to begin with what a deleted index left in the store (decision 011): its blobs
/// stay until each shard that copies them has a commit of its own. There are no new ones after the
/// index is out of the state.
public final class InheritingIndices {
  private InheritingIndices() {}

  /// Whether a shard still has to copy from that one: at most one LIST for each that begins with
  /// it.
  ///
  /// @param state without the index of `source`
  /// @param source only its uuid and number count
  public static boolean haveToCopy(ObjectStore store, ClusterState state, ShardId source)
      throws IOException {
    String uuid = source.index().uuid();
    for (IndexMetadata index : state.indices().values()) {
      IndexOrigin origin = index.origin();
      // A snapshot keeps its blobs by itself.
      if (origin != null && origin.snapshot() == null && origin.uuid().equals(uuid)) {
        int shards = index.shardsAtFirst(); // those added since begin with shards of their own
        for (int number = 0; number < shards; number++) {
          if (origin.isSource(source.number(), number, shards)
              && !new CommitStore(store, new ShardId(index.id(), number)).hasOwn()) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
