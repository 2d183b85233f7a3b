package dev.holdfast.indexing.lent;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.indexing.snapshot.ManifestBytes;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// What a snapshot has of the index that another was restored from.
///
/// @param uuid of the index that the snapshot is of
record LentManifest(String uuid, List<SnapshottedShard> shards) {
  LentManifest {
    shards = List.copyOf(shards);
  }

  /// Empty when the snapshot is gone, or has never had the index: then nothing is lent any more.
  ///
  /// @param store the cluster's own
  /// @throws IOException also when it is damaged
  static Optional<LentManifest> read(ObjectStore store, IndexMetadata index, LentBlobs lent)
      throws IOException {
    IndexOrigin origin = index.origin();
    SnapshotReference snapshot = origin == null ? null : origin.snapshot();
    ObjectStore.StoredObject found = store.get(lent.manifest()).orElse(null);
    if (origin == null || snapshot == null || found == null) {
      return Optional.empty();
    }
    SnapshotManifest manifest = ManifestBytes.read(lent.manifest(), found.bytes());
    if (!manifest.uuid().equals(snapshot.uuid())) {
      return Optional.empty();
    }
    for (SnapshottedIndex one : manifest.indices().values()) {
      if (one.metadata().id().uuid().equals(origin.uuid())) {
        return Optional.of(new LentManifest(origin.uuid(), one.shards()));
      }
    }
    return Optional.empty();
  }

  /// The shard whose blobs one begins with; only its uuid and number count.
  ShardId source(int number) {
    return new ShardId(new IndexId(uuid, uuid), number);
  }

  SortedSet<BlobId> blobs(int number) {
    return number < shards.size() ? shards.get(number).blobs() : new TreeSet<>();
  }
}
