package dev.holdfast.indexing.sweep;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.DeletedIndices;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.gc.InheritingIndices;
import dev.holdfast.indexing.pin.BlobPins;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Folders of blobs of no index of the cluster state (§6.1). One goes to the trash when the state
/// says by its uuid that the index was deleted, and has for the whole grace; no more than a share
/// of all folders a sweep unless a person confirmed it. Of an index that the state merely does not
/// have nothing is ever deleted: it may be the state that has lost it (decision 017).
///
/// Guarded by the sweep, which runs as one task.
final class OrphanFolders {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanFolders.class);

  /// A sweep takes one folder of so many, and always one.
  private static final int SHARE = 10;

  private static final Comparator<ShardId> BY_UUID =
      Comparator.comparing((ShardId shard) -> shard.index().uuid())
          .thenComparingInt(ShardId::number);

  private final World world;
  private final ObjectStore store;
  private final Metadata metadata;
  private final BlobPins pins;
  private final Trash trash;
  private final Duration grace;

  /// Of indices that were deleted, and since when that is known.
  private SortedMap<ShardId, Long> sinceNanos = new TreeMap<>(BY_UUID);

  private SortedMap<ShardId, Long> before = new TreeMap<>(BY_UUID);

  /// Of indices of which the state knows nothing.
  private SortedSet<ShardId> unknown = new TreeSet<>(BY_UUID);

  private long seen;
  private long taken;
  private boolean isShareTaken;
  private long deletedBlobs;

  OrphanFolders(
      World world,
      ObjectStore store,
      Metadata metadata,
      BlobPins pins,
      Trash trash,
      Duration grace) {
    this.world = world;
    this.store = store;
    this.metadata = metadata;
    this.pins = pins;
    this.trash = trash;
    this.grace = grace;
  }

  /// This node does not lead any more.
  void forget() {
    begin();
    before.clear();
  }

  /// The store is looked through anew.
  void begin() {
    before = sinceNanos;
    sinceNanos = new TreeMap<>(BY_UUID);
    unknown = new TreeSet<>(BY_UUID);
    seen = 0;
    taken = 0;
    isShareTaken = false;
  }

  /// A folder that some index of the state has.
  void owned() {
    seen++;
  }

  /// A folder that no index of the state has.
  void orphan(ShardId folder) {
    seen++;
    if (DeletedIndices.contains(metadata.current(), folder.index().uuid())) {
      sinceNanos.put(folder, before.getOrDefault(folder, world.clock().nanoTime()));
    } else if (unknown.add(folder) && unknown.size() == 1) {
      LOG.warn(
          "the store has blobs of an index that the cluster does not know to have deleted, they are"
              + " kept [folder={}]",
          folder.folder());
    }
  }

  boolean isDue(long nowNanos) {
    return !isShareTaken && sinceNanos.values().stream().anyMatch(since -> isOver(since, nowNanos));
  }

  private boolean isOver(long since, long nowNanos) {
    return nowNanos - since >= grace.toNanos();
  }

  /// Takes away what has been an orphan for the whole grace.
  void collect() throws IOException {
    for (Map.Entry<ShardId, Long> orphan : List.copyOf(sinceNanos.entrySet())) {
      long nowNanos = world.clock().nanoTime();
      if (!isOver(orphan.getValue(), nowNanos)) {
        continue;
      }
      if (!trash.mayTake()) {
        return; // looked at again at the next tick
      }
      ShardId folder = orphan.getKey();
      ClusterState state = metadata.current();
      String uuid = folder.index().uuid();
      boolean isConfirmed = DeletedIndices.isConfirmed(state, uuid);
      if (!isConfirmed && taken >= Math.max(1, seen / SHARE)) {
        isShareTaken = true; // the next sweep goes on
        continue;
      }
      List<BlobId> blobs = new CommitStore(store, folder).list();
      SortedSet<BlobId> pinned = pins.lasting(folder, blobs, world.clock().nanoTime());
      if ((!pinned.isEmpty() && pinned.size() == blobs.size())
          || InheritingIndices.haveToCopy(store, state, folder)) {
        sinceNanos.put(folder, nowNanos); // looked at again when another grace is over
        continue;
      }
      blobs.removeAll(pinned);
      if (!take(folder, blobs)) {
        return;
      }
      if (!pinned.isEmpty()) {
        sinceNanos.put(folder, nowNanos);
      }
      taken += isConfirmed ? 0 : 1;
    }
  }

  /// @return false when the index is there again, or this node does not lead any more
  private boolean take(ShardId folder, List<BlobId> blobs) throws IOException {
    ClusterState state = metadata.current();
    String uuid = folder.index().uuid();
    boolean isDeleted =
        DeletedIndices.contains(state, uuid)
            && state.indices().values().stream().noneMatch(i -> i.id().uuid().equals(uuid));
    if (!isDeleted || !trash.take(blobs.stream().map(blob -> blob.key(folder)).toList())) {
      return false;
    }
    sinceNanos.remove(folder);
    deletedBlobs += blobs.size();
    LOG.info(
        "moved an orphaned folder of an index that is gone to the trash [folder={}, blobs={}]",
        folder.folder(),
        blobs.size());
    return true;
  }

  /// By all sweeps.
  long deletedBlobs() {
    return deletedBlobs;
  }

  /// By folder: milliseconds of its grace that are left.
  SortedMap<String, Long> waiting(long nowNanos) {
    SortedMap<String, Long> waiting = new TreeMap<>();
    sinceNanos.forEach((folder, since) ->
        waiting.put(
            folder.folder(), Math.max(0, (grace.toNanos() - (nowNanos - since)) / 1_000_000)));
    return waiting;
  }

  /// Folders that may be of an index that the state has lost.
  List<ShardId> unknownShards() {
    return List.copyOf(unknown);
  }

  /// By folder: the uuid of an index that the state does not know to have been deleted.
  SortedMap<String, String> unknown() {
    SortedMap<String, String> folders = new TreeMap<>();
    unknown.forEach(folder -> folders.put(folder.folder(), folder.index().uuid()));
    return folders;
  }
}
