package dev.holdfast.indexing.pin;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.PointInTimePin;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Blobs that somebody outside the two tiers holds: objects
/// `pins/<index-uuid>/<shard>/<term>-<generation>/<holder>`, or `…/all/<holder>` for every blob of
/// the shard (§6.1), and `pins/points-in-time/<id>` and `pins/snapshots/<place>/<name>`, which say
/// inside what they hold.
///
/// A pin is put while the blob is part of the newest commit. Who deletes therefore needs the pins
/// as they were at any time after the blob became loose, which one LIST a grace gives for all
/// shards of a node.
public final class BlobPins {
  static final String FOLDER = "pins/";
  private static final String ALL = "all";
  private static final int LIST_MAX = 1000;

  private final World world;
  private final ObjectStore store;
  private final PointInTimePins pointsInTime;
  private final SnapshotPins snapshots;

  // Guarded by this.
  private final UnreadablePins unreadable;
  private Map<String, Map<String, Set<String>>> holders = new HashMap<>();

  /// Those that outlive an index.
  private Map<String, Map<String, Set<String>>> lasting = new HashMap<>();

  private @Nullable Long readNanos;

  /// @param metadata says when indices were made
  public BlobPins(World world, ObjectStore store, Metadata metadata) {
    this.world = world;
    this.store = store;
    this.pointsInTime = new PointInTimePins(store);
    this.snapshots = new SnapshotPins(world, store);
    this.unreadable = new UnreadablePins(metadata);
  }

  /// Who pins that blob.
  ///
  /// @param notBeforeNanos the pins are as they were then, or later
  public synchronized Set<String> holders(ShardId shard, BlobId blob, long notBeforeNanos)
      throws IOException {
    refresh(notBeforeNanos);
    Map<String, Set<String>> ofShard = holders.getOrDefault(folder(shard), Map.of());
    Set<String> all = new TreeSet<>(ofShard.getOrDefault(ALL, Set.of()));
    all.addAll(ofShard.getOrDefault(name(blob), Set.of()));
    String unread = unreadable.holder(shard.index().uuid());
    if (!unread.isEmpty()) {
      all.add(unread);
    }
    return all;
  }

  /// The blobs of a shard that somebody pins whom the end of its index does not concern. A point in
  /// time ends with its indices.
  ///
  /// @param notBeforeNanos the pins are as they were then, or later
  public synchronized SortedSet<BlobId> lasting(
      ShardId shard, Collection<BlobId> blobs, long notBeforeNanos) throws IOException {
    refresh(notBeforeNanos);
    Map<String, Set<String>> ofShard = lasting.getOrDefault(folder(shard), Map.of());
    if (!unreadable.holder(shard.index().uuid()).isEmpty()) {
      return new TreeSet<>(blobs);
    }
    SortedSet<BlobId> held = new TreeSet<>();
    for (BlobId blob : blobs) {
      if (ofShard.containsKey(ALL) || ofShard.containsKey(name(blob))) {
        held.add(blob);
      }
    }
    return held;
  }

  /// Pins that could not be read when they were last needed, and how they are damaged, by key.
  public synchronized SortedMap<String, String> damaged() {
    return unreadable.how();
  }

  private static String folder(ShardId shard) {
    return shard.index().uuid() + "/" + shard.number();
  }

  private static String name(BlobId blob) {
    return blob.primaryTerm() + "-" + blob.generation();
  }

  private void refresh(long notBeforeNanos) throws IOException {
    if (readNanos != null && readNanos - notBeforeNanos >= 0) {
      return;
    }
    long nowNanos = world.clock().nanoTime();
    Map<String, Map<String, Set<String>>> found = new HashMap<>();
    List<Listed> ofPointsInTime = new ArrayList<>();
    List<Listed> ofSnapshots = new ArrayList<>();
    String after = "";
    while (true) {
      List<Listed> page = store.list(FOLDER, after, LIST_MAX);
      for (Listed listed : page) {
        if (PointInTimePins.isOne(listed.key())) {
          ofPointsInTime.add(listed);
        } else if (SnapshotPins.isOne(listed.key())) {
          ofSnapshots.add(listed);
        } else {
          add(found, listed.key());
        }
      }
      if (page.size() < LIST_MAX) {
        break;
      }
      after = page.getLast().key();
    }
    SnapshotPins.Found taken = snapshots.read(ofSnapshots);
    taken.pins().forEach(pin -> add(found, pin));
    Map<String, Map<String, Set<String>>> outliving = new HashMap<>();
    found.forEach((folder, ofShard) -> outliving.put(folder, new HashMap<>(ofShard)));
    lasting = outliving;
    PointInTimePins.Found points = pointsInTime.read(ofPointsInTime);
    points.pins().forEach(pin -> add(found, pin));
    Map<Listed, IOException> unread = new HashMap<>(taken.unreadable());
    unread.putAll(points.unreadable());
    unreadable.are(unread);
    holders = found;
    readNanos = nowNanos;
  }

  private static void add(Map<String, Map<String, Set<String>>> found, SnapshotPins.Pinned pin) {
    pin.blobs()
        .forEach((folder, blobs) -> {
          Map<String, Set<String>> ofShard = found.computeIfAbsent(folder, _ -> new HashMap<>());
          for (BlobId blob : blobs) {
            ofShard.computeIfAbsent(name(blob), _ -> new TreeSet<>()).add("snapshot " + pin.name());
          }
        });
  }

  private static void add(Map<String, Map<String, Set<String>>> found, PointInTimePin pin) {
    for (PointInTimePin.Pinned pinned : pin.commits()) {
      String folder = pinned.shard().index().uuid() + "/" + pinned.shard().number();
      Map<String, Set<String>> ofShard = found.computeIfAbsent(folder, _ -> new HashMap<>());
      for (BlobId blob : pinned.blobs()) {
        ofShard.computeIfAbsent(name(blob), _ -> new TreeSet<>()).add("point in time " + pin.id());
      }
    }
  }

  /// A name that says less than it should pins more than it might.
  private static void add(Map<String, Map<String, Set<String>>> found, String key) {
    String[] parts = key.split("/", 5);
    boolean isWhole = parts.length == 5;
    String folder = parts[1] + "/" + (parts.length > 2 ? parts[2] : "");
    found
        .computeIfAbsent(folder, _ -> new HashMap<>())
        .computeIfAbsent(isWhole ? parts[3] : ALL, _ -> new TreeSet<>())
        .add(isWhole ? parts[4] : key);
  }
}
