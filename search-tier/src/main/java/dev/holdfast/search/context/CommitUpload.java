package dev.holdfast.search.context;

import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.search.node.StoredCommit;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;

/// Puts a commit into the store that only its owner has, so that it outlives it.
public final class CommitUpload {
  private final ObjectStore store;
  private final IndexingReads indexing;

  public CommitUpload(ObjectStore store, IndexingReads indexing) {
    this.store = store;
    this.indexing = indexing;
  }

  /// @throws Refusal `no_shard_available_action_exception` when it was lost with its owner
  void run(StoredCommit commit) throws IOException, InterruptedException {
    indexing.upload(commit.shard());
    try {
      ObjectStore.Suffix _ = store.getSuffix(commit.home().key(commit.shard()), 1);
    } catch (StoreException.NotFound e) {
      throw new Refusal(
          ErrorType.NO_SHARD_AVAILABLE,
          "the owner of " + commit.shard() + " was lost while its commit was being uploaded",
          e);
    }
  }
}
