package dev.holdfast.indexing.recovery;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.repository.StoredBody;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import java.io.IOException;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/// The blobs of a shard in a snapshot: in the folder of the shard that they are of, or in the
/// repository's own store.
///
/// @param own the cluster's own store
/// @param source the shard that the snapshot is of; only uuid and number count
record SnapshotSource(SnapshotRepository repository, ObjectStore own, ShardId source) {
  /// What a snapshot has of a shard.
  ///
  /// @param indexUuid of the index that the snapshot is of
  /// @throws LostObjectException when the snapshot is gone, damaged, or another one: the shard must
  ///   not begin empty
  static SnapshottedShard of(
      SnapshotRepository repository, SnapshotReference reference, String indexUuid, int number)
      throws IOException {
    Found found = repository.find(reference.snapshot()).orElse(null);
    SnapshotManifest manifest = found == null ? null : found.manifest();
    if (found != null && found.damage() != null) {
      throw new LostObjectException(
          repository.key(reference.snapshot()),
          "the snapshot that the shard begins with cannot be read: " + found.damage().getMessage());
    }
    if (manifest != null && manifest.uuid().equals(reference.uuid())) {
      for (SnapshottedIndex index : manifest.indices().values()) {
        if (index.metadata().id().uuid().equals(indexUuid) && number < index.shards().size()) {
          return index.shards().get(number);
        }
      }
    }
    throw new LostObjectException(
        repository.key(reference.snapshot()),
        "the snapshot that the shard begins with is gone [repository="
            + reference.repository()
            + ", snapshot="
            + reference.snapshot()
            + "]");
  }

  /// @throws LostObjectException when one of them is not there
  SortedMap<BlobId, Long> lengths(SortedSet<BlobId> blobs) throws IOException {
    SortedMap<BlobId, Long> lengths =
        repository.isOwn()
            ? new CommitStore(own, source).sizes()
            : repository.blobLengths(source, blobs);
    SortedMap<BlobId, Long> found = new TreeMap<>();
    for (BlobId blob : blobs) {
      Long length = lengths.get(blob);
      if (length == null) {
        throw new LostObjectException(
            repository.isOwn() ? blob.key(source) : repository.blobKey(source, blob),
            "the snapshot that the shard begins with lacks a blob [repository="
                + repository.name()
                + "]");
      }
      found.put(blob, length);
    }
    return found;
  }

  /// What an earlier try has not copied. Some stores show a copy before it has all its bytes.
  ///
  /// @param names of the copies
  /// @param there copies that are there, and their lengths
  static SortedMap<BlobId, BlobId> missing(
      SortedMap<BlobId, BlobId> names,
      SortedMap<BlobId, Long> lengths,
      SortedMap<BlobId, Long> there) {
    SortedMap<BlobId, BlobId> missing = new TreeMap<>(names);
    missing
        .entrySet()
        .removeIf(copy -> Objects.equals(lengths.get(copy.getKey()), there.get(copy.getValue())));
    return missing;
  }

  /// Copies one into the cluster's own store.
  void copy(BlobId blob, long length, String to) throws StoreException {
    if (repository.isOwn()) {
      own.copy(blob.key(source), to);
    } else {
      var _ =
          own.put(to, StoredBody.of(repository.store(), repository.blobKey(source, blob), length));
    }
  }
}
