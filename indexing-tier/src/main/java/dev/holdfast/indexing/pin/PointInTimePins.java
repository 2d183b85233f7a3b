package dev.holdfast.indexing.pin;

import dev.holdfast.compoundcommit.PointInTimePin;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The pins of points in time as those see them who delete (§6.1). Each is read once, and again
/// when it was written anew.
final class PointInTimePins {
  private final ObjectStore store;

  // Of one caller at a time.
  private Map<String, Read> known = new HashMap<>();

  PointInTimePins(ObjectStore store) {
    this.store = store;
  }

  private record Read(long modifiedMillis, long length, PointInTimePin pin) {}

  /// @param unreadable those that are damaged, and how
  record Found(List<PointInTimePin> pins, Map<Listed, IOException> unreadable) {}

  static boolean isOne(String key) {
    return key.startsWith(PointInTimePin.FOLDER);
  }

  /// The pins among these objects; those that were deleted meanwhile are missing.
  ///
  /// @throws IOException when the store does not answer: what they pin is not known
  Found read(List<Listed> listed) throws IOException {
    Map<String, Read> now = new HashMap<>();
    List<PointInTimePin> pins = new ArrayList<>();
    Map<Listed, IOException> unreadable = new HashMap<>();
    for (Listed one : listed) {
      Read before = known.get(one.key());
      boolean isSame =
          before != null
              && before.modifiedMillis == one.modifiedMillis()
              && before.length == one.length();
      try {
        Read read = isSame ? before : read(one);
        if (read != null) {
          now.put(one.key(), read);
          pins.add(read.pin);
        }
      } catch (IOException e) {
        unreadable.put(one, UnreadablePins.requireDamage(e));
      }
    }
    known = now;
    return new Found(pins, unreadable);
  }

  private @org.jspecify.annotations.Nullable Read read(Listed one) throws IOException {
    Optional<ObjectStore.StoredObject> found = store.get(one.key());
    return found.isEmpty()
        ? null
        : new Read(
            one.modifiedMillis(),
            one.length(),
            PointInTimePin.read(one.key(), found.get().bytes()));
  }
}
