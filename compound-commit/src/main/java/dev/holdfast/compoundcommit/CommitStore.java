package dev.holdfast.compoundcommit;

import dev.holdfast.blobcache.Blob;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// The batched compound commits of a shard in the object store (§4).
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"}) // signatures first, bodies follow
public final class CommitStore {
  public CommitStore(ObjectStore store, ShardId shard) {
    throw new UnsupportedOperationException();
  }

  /// The newest commit of the newest blob: one LIST and one suffix GET. Empty when the shard has
  /// none.
  public Optional<CompoundCommit> newest() throws IOException {
    throw new UnsupportedOperationException();
  }

  /// Every commit in a blob's directory, oldest first.
  public List<CompoundCommit> commits(BlobId id) throws IOException {
    throw new UnsupportedOperationException();
  }

  /// Writes the blob. Its own earlier success counts as success.
  ///
  /// @throws IOException when another blob of this name exists: somebody else writes this shard
  ///   under our term
  public void upload(VirtualBatch.Frozen batch) throws IOException {
    throw new UnsupportedOperationException();
  }

  /// The uploaded blob, read by range.
  public Blob blob(BlobId id) {
    throw new UnsupportedOperationException();
  }

  /// Every blob of the shard, newest first.
  public List<BlobId> list() throws IOException {
    throw new UnsupportedOperationException();
  }

  public void delete(Collection<BlobId> ids) throws IOException {
    throw new UnsupportedOperationException();
  }
}
