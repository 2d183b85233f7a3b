package dev.holdfast.indexing.snapshot;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a snapshot has of one shard: its newest commit, of which no file is copied within the
/// cluster's own store.
///
/// @param home the blob whose newest commit it is; null for a shard that nobody has written to, and
///   for one that failed
/// @param blobs that the commit's files lie in
/// @param documents live ones
/// @param files how many the commit has, and `bytes` their sum
/// @param newFiles how many of them no older snapshot of the repository has, and `newBytes` their
///   sum
/// @param segments of the commit
/// @param failure why the snapshot does not have the shard; empty when it does
public record SnapshottedShard(
    @Nullable BlobId home,
    SortedSet<BlobId> blobs,
    long documents,
    int files,
    long bytes,
    int newFiles,
    long newBytes,
    int segments,
    long startMillis,
    long tookMillis,
    String failure) {

  public SnapshottedShard {
    blobs = Collections.unmodifiableSortedSet(new TreeSet<>(blobs));
  }

  /// Whether the snapshot has it.
  public boolean isThere() {
    return failure.isEmpty();
  }

  /// The same, made in a longer time.
  public SnapshottedShard lasted(long moreMillis) {
    return new SnapshottedShard(
        home,
        blobs,
        documents,
        files,
        bytes,
        newFiles,
        newBytes,
        segments,
        startMillis,
        tookMillis + moreMillis,
        failure);
  }

  /// A shard that nobody has written to.
  public static SnapshottedShard empty(long startMillis) {
    return new SnapshottedShard(null, new TreeSet<>(), 0, 0, 0, 0, 0, 0, startMillis, 0, "");
  }

  public static SnapshottedShard failed(long startMillis, String why) {
    return new SnapshottedShard(null, new TreeSet<>(), 0, 0, 0, 0, 0, 0, startMillis, 0, why);
  }

  /// @param known blobs that other snapshots of the repository have
  public static SnapshottedShard of(
      CompoundCommit commit, SortedSet<BlobId> known, long startMillis, long tookMillis) {
    int newFiles = 0;
    long newBytes = 0;
    int segments = 0;
    for (var file : commit.files().entrySet()) {
      if (file.getKey().endsWith(".si")) {
        segments++;
      }
      if (!known.contains(file.getValue().blob())) {
        newFiles++;
        newBytes += file.getValue().length();
      }
    }
    return new SnapshottedShard(
        commit.home(),
        commit.blobs(),
        commit.documents(),
        commit.files().size(),
        commit.bytes(),
        newFiles,
        newBytes,
        segments,
        startMillis,
        tookMillis,
        "");
  }
}
