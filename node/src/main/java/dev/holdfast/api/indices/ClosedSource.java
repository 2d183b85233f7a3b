package dev.holdfast.api.indices;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// A closed index that others are to begin with: nobody owns its shards, so the store itself must
/// say that it has all of them.
///
/// @param store the cluster's own
record ClosedSource(World world, ObjectStore store) {
  /// How long owners may take for their last commits after their index was closed.
  private static final Duration CLOSING_MAX = Duration.ofSeconds(20);

  /// How long a client waits for the copies of an index that was restored.
  private static final Duration COPIED_MAX = Duration.ofSeconds(30);

  private static final Duration LOOK = Duration.ofMillis(100);

  /// Waits until an index that was restored has copies of its own of all that it begins with.
  void awaitCopied(Metadata metadata, IndexMetadata index) throws InterruptedException {
    boolean _ =
        Await.until(
            world,
            COPIED_MAX,
            LOOK,
            () -> {
              IndexMetadata now = metadata.current().indices().get(index.id().name());
              return now == null || !now.id().equals(index.id()) || LentBlobs.of(now) == null;
            });
  }

  /// An index may be deleted when another has begun with it; what it only reads in a snapshot would
  /// go with that.
  ///
  /// @throws Refusal while the store copies what the index was restored from
  static void requireCopied(IndexMetadata index) {
    if (LentBlobs.of(index) != null) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          "index ["
              + index.id().name()
              + "] was restored, and what it begins with is still being copied: ask again");
    }
  }

  /// @throws Refusal when a shard has documents that only the log has: who opens it finds them
  void requireWhole(ClusterState state, IndexMetadata index)
      throws IOException, InterruptedException {
    for (int number = 0; number < index.shards(); number++) {
      ShardId shard = new ShardId(index.id(), number);
      boolean isWhole =
          new CommitStore(store, shard).isUnwritten(state)
              || Await.until(world, CLOSING_MAX, LOOK, () -> hasEnded(state, index, shard));
      if (!isWhole) {
        throw new Refusal(
            ErrorType.ILLEGAL_STATE_OF_REQUEST,
            "index ["
                + index.id().name()
                + "] was closed, and not all that was written to shard ["
                + number
                + "] is in a commit: open it, and close it again");
      }
    }
  }

  /// Whether the newest commit needs no log, and has no documents that the shard gave away since.
  private boolean hasEnded(ClusterState state, IndexMetadata index, ShardId shard)
      throws IOException {
    UploadMark mark = UploadMarks.of(state, shard);
    Optional<CompoundCommit> newest =
        new CommitStore(store, shard)
            .newest(mark.isMarked() ? new BlobId(mark.primaryTerm(), mark.generation()) : null);
    return newest.isPresent()
        && newest.get().translog().equals(TranslogPosition.NOTHING_TO_REPLAY)
        && newest.get().primaryTerm() >= index.dividedSince(shard.number());
  }
}
