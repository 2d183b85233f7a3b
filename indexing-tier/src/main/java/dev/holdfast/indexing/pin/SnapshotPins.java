package dev.holdfast.indexing.pin;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.indexing.repository.ObjectName;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.snapshot.ManifestBytes;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What snapshots pin, as those see it who delete (decision 027): in whatever state one is, it pins
/// what it names. One that is finished is read once, others each time.
final class SnapshotPins {
  /// A store tells seconds apart, and clocks differ: what was written so long before it was read is
  /// not written again within the same second.
  private static final Duration SETTLED = Duration.ofSeconds(30);

  private final World world;
  private final ObjectStore store;

  // Of one caller at a time.
  private Map<String, Read> known = new HashMap<>();

  SnapshotPins(World world, ObjectStore store) {
    this.world = world;
    this.store = store;
  }

  /// @param blobs by `<index uuid>/<shard>`
  record Pinned(String name, Map<String, Set<BlobId>> blobs) {}

  /// @param unreadable those that are damaged, and how
  record Found(List<Pinned> pins, Map<Listed, IOException> unreadable) {}

  private record Read(long modifiedMillis, long length, boolean isSettled, Pinned pinned) {}

  static boolean isOne(String key) {
    return key.startsWith(SnapshotRepository.OWN_FOLDER);
  }

  /// What these objects pin; those that were deleted meanwhile are missing.
  ///
  /// @throws IOException when the store does not answer: what they pin is not known
  Found read(List<Listed> listed) throws IOException {
    Map<String, Read> now = new HashMap<>();
    List<Pinned> pins = new ArrayList<>();
    Map<Listed, IOException> unreadable = new HashMap<>();
    for (Listed one : listed) {
      Read before = known.get(one.key());
      boolean isSame =
          before != null
              && before.isSettled
              && before.modifiedMillis == one.modifiedMillis()
              && before.length == one.length();
      try {
        Read read = isSame ? before : read(one);
        if (read != null) {
          now.put(one.key(), read);
          pins.add(read.pinned);
        }
      } catch (IOException e) {
        unreadable.put(one, UnreadablePins.requireDamage(e));
      }
    }
    known = now;
    return new Found(pins, unreadable);
  }

  private @Nullable Read read(Listed one) throws IOException {
    Optional<ObjectStore.StoredObject> found = store.get(one.key());
    if (found.isEmpty()) {
      return null;
    }
    SnapshotManifest manifest = ManifestBytes.read(one.key(), found.get().bytes());
    if (!one.key().endsWith("/" + ObjectName.of(manifest.name()))) {
      // What the snapshot that lay there pins is not known any more.
      throw new CorruptObjectException(
          one.key(), "it is a copy of the snapshot [" + manifest.name() + "]");
    }
    Map<String, Set<BlobId>> blobs = new HashMap<>();
    for (SnapshottedIndex index : manifest.indices().values()) {
      for (int number = 0; number < index.shards().size(); number++) {
        blobs
            .computeIfAbsent(index.metadata().id().uuid() + "/" + number, _ -> new TreeSet<>())
            .addAll(index.shards().get(number).blobs());
      }
    }
    boolean isSettled =
        manifest.state().isFinished()
            && world.clock().epochMillis() - one.modifiedMillis() > SETTLED.toMillis();
    return new Read(
        one.modifiedMillis(), one.length(), isSettled, new Pinned(manifest.name(), blobs));
  }
}
