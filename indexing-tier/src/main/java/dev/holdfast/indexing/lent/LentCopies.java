package dev.holdfast.indexing.lent;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.gc.DeletedFolders;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.relocation.ShardSlot;
import dev.holdfast.indexing.relocation.ShardSlots;
import dev.holdfast.objectstore.InParallel;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has the store copy what restored shards of this node read in their snapshot, and says in the
/// state when all is there: from then on the snapshot may go (decision 038). A copy has one name
/// and one content, so whoever owns the shard next goes on, and two who copy at once do no harm.
///
/// Of one task: one shard at a time.
public final class LentCopies {
  private static final Logger LOG = LoggerFactory.getLogger(LentCopies.class);

  /// Copies that the store makes at once for this node.
  private static final int COPIES_AT_ONCE = 8;

  private static final Duration RETRY_FIRST = Duration.ofMillis(200);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);

  private final World world;
  private final ObjectStore store;
  private final Metadata metadata;
  private final ShardSlots slots;
  private final DeletedFolders deletedFolders;
  private final Ownership ownership;

  /// The searches that a restore is made for have their turn before the copies.
  private final Duration delay;

  private final Map<ShardId, Failed> failed = new HashMap<>();

  /// Since when shards are read here.
  private Map<ShardId, Long> sinceNanos = new HashMap<>();

  /// In which nothing is lent.
  private @Nullable ClusterState looked;

  /// @param pause before it is tried again
  private record Failed(long sinceNanos, Duration pause) {}

  /// @param deletedFolders hears of shards that were deleted while they were copied
  public LentCopies(NodeParts node, ShardSlots slots, DeletedFolders deletedFolders) {
    this.world = node.world();
    this.store = node.storage().store();
    this.metadata = node.cluster().metadata();
    this.ownership = node.cluster().ownership();
    this.delay = node.life().lentFor();
    this.slots = slots;
    this.deletedFolders = deletedFolders;
  }

  /// Copies what is due, until it is there.
  @SuppressWarnings("ReferenceEquality") // a state is one object
  public void look() throws InterruptedException {
    ClusterState state = metadata.current();
    if (state == looked) {
      return;
    }
    List<ShardId> lent = lent(state);
    Map<ShardId, Long> since = new HashMap<>();
    for (ShardId shard : lent) {
      if (isHere(shard)) {
        since.put(shard, sinceNanos.getOrDefault(shard, world.clock().nanoTime()));
      }
    }
    sinceNanos = since;
    failed.keySet().retainAll(since.keySet());
    for (ShardId shard : lent) {
      if (isDue(shard)) {
        copy(shard);
      }
    }
    if (lent.isEmpty()) {
      looked = state;
    }
  }

  private static List<ShardId> lent(ClusterState state) {
    List<ShardId> shards = new ArrayList<>();
    for (IndexMetadata index : state.indices().values()) {
      LentBlobs lent = LentBlobs.of(index);
      if (lent != null) {
        lent.shards().forEach(number -> shards.add(new ShardId(index.id(), number)));
      }
    }
    return shards;
  }

  /// Whether this node is to see to it: the shard is open, or hollow, or closed. One that is being
  /// opened has its turn first.
  private boolean isHere(ShardId shard) {
    ShardSlot slot = slots.get(shard);
    if (slot == null) {
      return false;
    }
    return switch (slot.wanted()) {
      case OPEN, MOVED -> slot.open() != null || slot.isHollow();
      case CLOSED -> true;
      case LOST, GONE -> false;
    };
  }

  private boolean isDue(ShardId shard) {
    Long since = sinceNanos.get(shard);
    Failed before = failed.get(shard);
    long nowNanos = world.clock().nanoTime();
    return since != null
        && nowNanos - since >= delay.toNanos()
        && (before == null || nowNanos - before.sinceNanos >= before.pause.toNanos());
  }

  private void copy(ShardId shard) throws InterruptedException {
    try {
      if (copyAll(shard)) {
        ClusterState _ =
            metadata.update(
                "copied what a restored shard begins with [" + shard + "]",
                state -> LentBlobs.copied(state, shard));
      } else if (isDeleted(shard)) {
        deletedFolders.add(shard); // the last copies may have come after all else was deleted
      }
      failed.remove(shard);
    } catch (IOException | RuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the node stops");
      }
      if (isDeleted(shard)) {
        deletedFolders.add(shard);
        return;
      }
      Failed before = failed.get(shard);
      Duration pause = before == null ? RETRY_FIRST : before.pause.multipliedBy(2);
      pause = pause.compareTo(RETRY_MAX) < 0 ? pause : RETRY_MAX;
      failed.put(shard, new Failed(world.clock().nanoTime(), pause));
      LOG.warn(
          "a restored shard is read in its snapshot, whose blobs can't be copied now, will be tried"
              + " again [shard={}, after={}]",
          shard,
          pause,
          e);
    }
  }

  private boolean isDeleted(ShardId shard) {
    IndexMetadata now = metadata.current().indices().get(shard.index().name());
    return now == null || !now.id().equals(shard.index());
  }

  /// Returns false when it is for somebody else by now, or for nobody.
  private boolean copyAll(ShardId shard) throws IOException {
    ClusterState state = metadata.current();
    IndexMetadata index = state.indices().get(shard.index().name());
    LentBlobs lent = index == null ? null : LentBlobs.of(index);
    if (index == null || lent == null || !LentBlobs.areLent(state, shard)) {
      return false;
    }
    long startNanos = world.clock().nanoTime();
    SortedMap<BlobId, Long> there = new CommitStore(store, shard).sizes();
    Optional<LentManifest> manifest = LentManifest.read(store, index, lent);
    if (manifest.isEmpty()) {
      requireWhole(state, shard, there);
      return true;
    }
    SortedMap<BlobId, BlobId> missing = missing(manifest.get(), shard, there);
    ShardId source = manifest.get().source(shard.number());
    List<StoreRequest<BlobId>> requests = new ArrayList<>();
    missing.forEach((blob, copy) ->
        requests.add(() -> {
          store.copy(blob.key(source), copy.key(shard));
          return copy;
        }));
    for (int begin = 0; begin < requests.size(); begin += COPIES_AT_ONCE) {
      int end = Math.min(requests.size(), begin + COPIES_AT_ONCE);
      if (!ownership.isStillMember()) {
        return false; // others may read copies by now, and some stores show one that is made anew
      }
      var _ = InParallel.send(world, "copy", requests.subList(begin, end));
      if (!isHere(shard) || !LentBlobs.areLent(metadata.current(), shard)) {
        return false;
      }
    }
    LOG.info(
        "copied what a restored shard was read in its snapshot for [shard={}, blobs={},"
            + " millis={}]",
        shard,
        missing.size(),
        (world.clock().nanoTime() - startNanos) / 1_000_000);
    return true;
  }

  /// What has no copy yet, or one without all its bytes.
  private SortedMap<BlobId, BlobId> missing(
      LentManifest manifest, ShardId shard, SortedMap<BlobId, Long> there) throws IOException {
    ShardId source = manifest.source(shard.number());
    SortedMap<BlobId, Long> lengths = new CommitStore(store, source).sizes();
    SortedMap<BlobId, BlobId> missing = new TreeMap<>();
    for (BlobId blob : manifest.blobs(shard.number())) {
      BlobId copy = BlobId.inherited(source, blob);
      Long length = lengths.get(blob);
      if (length == null) {
        throw new LostObjectException(
            blob.key(source), "a snapshot lacks a blob that it lends [shard=" + shard + "]");
      }
      if (!length.equals(there.get(copy))) {
        missing.put(blob, copy);
      }
    }
    return missing;
  }

  /// The snapshot went when all copies were there; only a state that was lost and made anew from
  /// what old blobs say knows nothing of it.
  private void requireWhole(ClusterState state, ShardId shard, SortedMap<BlobId, Long> there)
      throws IOException {
    UploadMark mark = UploadMarks.of(state, shard);
    BlobId marked = mark.isMarked() ? new BlobId(mark.primaryTerm(), mark.generation()) : null;
    Optional<CompoundCommit> newest = new CommitStore(store, shard).newest(marked);
    if (newest.isEmpty() || !there.keySet().containsAll(newest.get().blobs())) {
      throw new StoreException.NotFound("the snapshot that a shard is read in [" + shard + "]");
    }
  }
}
