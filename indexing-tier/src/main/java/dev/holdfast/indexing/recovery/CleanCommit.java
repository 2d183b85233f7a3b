package dev.holdfast.indexing.recovery;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.engine.SegmentCounts;
import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// A shard's newest commit that needs no replay. Everything of such a shard is in the store, so it
/// need not be opened before somebody wants it.
///
/// @param newest the blob that holds it
/// @param stats what can be told of it without opening it
public record CleanCommit(BlobId newest, ShardStats stats) {
  /// Looks for it, with the proofs of an opening: what the cluster state knows of is there, so are
  /// all blobs that the commit needs, and its segments can be read (decision 018).
  ///
  /// @return null when the newest commit needs a replay, or there is none
  /// @throws dev.holdfast.world.LostObjectException when a blob is missing
  public static @Nullable CleanCommit find(
      ObjectStore store, ClusterState state, BlobInputs inputs, Path scratchFolder, ShardId shard)
      throws IOException {
    UploadMark mark = UploadMarks.of(state, shard);
    if (!mark.isMarked() || !mark.lost().isEmpty()) {
      return null; // an opening knows what to do
    }
    CommitStore commits = new CommitStore(store, shard);
    Optional<CompoundCommit> newest =
        commits.newest(new BlobId(mark.primaryTerm(), mark.generation()));
    if (newest.isEmpty() || !newest.get().translog().equals(TranslogPosition.NOTHING_TO_REPLAY)) {
      return null;
    }
    CompoundCommit commit = newest.get();
    Path folder = scratchFolder.resolve(shard.index().uuid()).resolve(shard.number() + "-look");
    try (IndexingDirectory directory = new IndexingDirectory(folder, inputs, commits::blob)) {
      directory.adopt(commit);
      SegmentCounts counts = SegmentCounts.of(directory, commit.segmentsFile());
      return new CleanCommit(
          commit.home(), ShardStats.ofClosed(counts, commit.bytes(), commit.maxSeqNo()));
    } finally {
      IOUtils.rm(folder);
    }
  }
}
