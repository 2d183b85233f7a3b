package dev.holdfast.api.snapshot;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.World;

/// The APIs about snapshots, wired.
public record SnapshotRoom(
    CreateSnapshotApi create,
    CloneSnapshotApi cloning,
    RestoreSnapshotApi restore,
    SnapshotListApi list,
    SnapshotsApi snapshots,
    SnapshotMaking making,
    SnapshotDeletion deletion) {
  /// @param own the cluster's own store
  /// @param running what this node does with snapshots
  public static SnapshotRoom open(
      World world,
      Metadata metadata,
      IndexingShards indexing,
      RepositoryStores stores,
      ObjectStore own,
      MappingFactory mappings,
      RunningSnapshots running) {
    SnapshotCreation creation =
        new SnapshotCreation(
            world,
            metadata,
            new ShardTaking(world, metadata::current, indexing, own),
            running,
            new BlobCopies(world, own));
    SnapshotDeletion deletion =
        new SnapshotDeletion(world, metadata, new RepositoryUse(own), running);
    new AbandonedSnapshots(world, metadata, stores, own, running, deletion).start();
    NamedSnapshots named = new NamedSnapshots(metadata, stores);
    SnapshotMaking making = new SnapshotMaking(world, metadata, stores, creation);
    return new SnapshotRoom(
        new CreateSnapshotApi(making),
        new CloneSnapshotApi(metadata, stores, creation),
        new RestoreSnapshotApi(world, metadata, stores, indexing, mappings, running.node()),
        new SnapshotListApi(named),
        new SnapshotsApi(world, metadata, stores, deletion, named),
        making,
        deletion);
  }
}
