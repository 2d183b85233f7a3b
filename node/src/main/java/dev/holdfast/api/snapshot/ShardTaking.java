package dev.holdfast.api.snapshot;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.json.CarriedMetadata;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds what a snapshot has of a shard: its newest commit in the store, after a flush (decision
/// 027).
///
/// @param states the newest at any time
///
/// @param own the cluster's own store
record ShardTaking(
    World world, Supplier<ClusterState> states, IndexingShards indexing, ObjectStore own) {
  private static final Duration LOOK = Duration.ofMillis(100);

  /// How long a shard may be read in another snapshot before this one goes without it.
  private static final Duration COPIED_MAX = Duration.ofMinutes(5);

  /// @param carried what the commit's blob says of the index; null when it says nothing
  record Taken(SnapshottedShard shard, @Nullable IndexMetadata carried) {}

  /// What is durable of the shard now is in what is taken.
  ///
  /// @param known blobs that other snapshots of the repository have
  /// @param closingMax how long the owner of a shard may take for its last commit after its index
  ///   was closed
  /// @return with the reason in it when it cannot be had
  Taken flushed(
      ClusterState state,
      IndexMetadata index,
      ShardId shard,
      SortedSet<BlobId> known,
      Duration closingMax)
      throws InterruptedException {
    long startMillis = world.clock().epochMillis();
    try {
      // What is taken names copies: they must be there, and stay when the other snapshot goes.
      if (!Await.until(world, COPIED_MAX, LOOK, () -> !LentBlobs.areLent(states.get(), shard))) {
        return failed(startMillis, "what it was restored from is still being copied");
      }
      if (isOpen(state, index)) {
        indexing.flush(shard, state.version());
        return newest(state, shard, known, startMillis);
      }
      boolean isEnded =
          new CommitStore(own, shard).isUnwritten(state)
              || Await.until(world, closingMax, LOOK, () -> isClosed(state, shard));
      return isEnded
          ? newest(state, shard, known, startMillis)
          : failed(startMillis, "index was closed, and not all that was written is in a commit");
    } catch (IOException | Refusal e) {
      return failed(startMillis, why(e));
    }
  }

  private static boolean isOpen(ClusterState state, IndexMetadata index) {
    IndexMetadata now = state.indices().get(index.id().name());
    if (now != null && now.id().equals(index.id())) {
      return now.isOpen();
    }
    return index.isOpen();
  }

  static String why(Exception e) {
    return e.getClass().getSimpleName() + "[" + e.getMessage() + "]";
  }

  private static Taken failed(long startMillis, String why) {
    return new Taken(SnapshottedShard.failed(startMillis, why), null);
  }

  private static Optional<CompoundCommit> newest(
      CommitStore commits, ClusterState state, ShardId shard) throws IOException {
    UploadMark mark = UploadMarks.of(state, shard);
    return commits.newest(
        mark.isMarked() ? new BlobId(mark.primaryTerm(), mark.generation()) : null);
  }

  /// Whether the owner has made its last commit: what the log has beyond an older one nobody
  /// replays while the index is closed.
  private boolean isClosed(ClusterState state, ShardId shard) throws IOException {
    return newest(new CommitStore(own, shard), state, shard)
        .filter(commit -> commit.translog().equals(TranslogPosition.NOTHING_TO_REPLAY))
        .isPresent();
  }

  private Taken newest(ClusterState state, ShardId shard, SortedSet<BlobId> known, long startMillis)
      throws IOException {
    CommitStore commits = new CommitStore(own, shard);
    Optional<CompoundCommit> newest = newest(commits, state, shard);
    if (newest.isEmpty()) {
      return UploadMarks.isUnmarked(state, shard)
          ? new Taken(SnapshottedShard.empty(startMillis), null)
          : failed(startMillis, "primary shard is not allocated");
    }
    if (isDividedSince(state, shard, newest.get())) {
      return failed(startMillis, "primary shard was divided and has not been opened since");
    }
    byte[] carried = commits.carried(newest.get().home());
    return new Taken(
        SnapshottedShard.of(
            newest.get(), known, startMillis, world.clock().epochMillis() - startMillis),
        carried.length == 0 ? null : CarriedMetadata.read(carried).index());
  }

  /// Whether the shard has given documents away since that commit, which has them still (decision
  /// 031): its index was closed before it was opened.
  private static boolean isDividedSince(ClusterState state, ShardId shard, CompoundCommit commit) {
    IndexMetadata index = state.indices().get(shard.index().name());
    return index != null
        && index.id().equals(shard.index())
        && commit.primaryTerm() < index.dividedSince(shard.number());
  }

  /// The same shard, if whoever deletes blobs must have seen a pin that was there before this is
  /// asked: its newest commit still needs every blob. Else what to pin instead.
  ///
  /// @return null when it is pinned in time
  @Nullable Taken outrun(
      ClusterState state, ShardId shard, SnapshottedShard taken, SortedSet<BlobId> known)
      throws InterruptedException {
    if (!taken.isThere()) {
      return null;
    }
    try {
      CommitStore commits = new CommitStore(own, shard);
      BlobId newest = commits.newestBlob();
      if (taken.home() == null || taken.home().equals(newest)) {
        return null;
      }
      Taken now = newest(state, shard, new TreeSet<>(known), taken.startMillis());
      return now.shard().isThere() && now.shard().blobs().containsAll(taken.blobs()) ? null : now;
    } catch (IOException | Refusal e) {
      return failed(taken.startMillis(), why(e));
    }
  }
}
