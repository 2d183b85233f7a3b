package dev.holdfast.indexing.pin;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.NewerFormatException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Pins that cannot be read. One may hold every blob of every index that there was when it was
/// written, and of no other: so blobs of indices that were made later are deleted all the same, and
/// the others wait until somebody has taken the pin away or put it back.
final class UnreadablePins {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadablePins.class);

  /// What the clock of who makes indices may be ahead of the store's.
  private static final Duration CLOCKS_APART = Duration.ofHours(1);

  private final Metadata metadata;

  /// By key: when it was written, and how it is damaged.
  private SortedMap<String, Unreadable> pins = new TreeMap<>();

  /// @param metadata says when indices were made
  UnreadablePins(Metadata metadata) {
    this.metadata = metadata;
  }

  private record Unreadable(long writtenMillis, String how) {}

  /// The failure, when it says that the object is none that can be read here.
  ///
  /// @throws IOException the failure, when another try may read it
  static IOException requireDamage(IOException e) throws IOException {
    if (CorruptObjectException.in(e) != null || e instanceof NewerFormatException) {
      return e;
    }
    throw e;
  }

  /// Takes the place of what was known before.
  void are(Map<Listed, IOException> found) {
    SortedMap<String, Unreadable> now = new TreeMap<>();
    found.forEach((listed, e) -> {
      now.put(
          listed.key(), new Unreadable(listed.modifiedMillis(), String.valueOf(e.getMessage())));
      if (!pins.containsKey(listed.key())) {
        LOG.warn(
            "a pin cannot be read, blobs of indices that are older are kept [pin={}]",
            listed.key(),
            e);
      }
    });
    pins = now;
  }

  /// How each is damaged, by key.
  SortedMap<String, String> how() {
    SortedMap<String, String> how = new TreeMap<>();
    pins.forEach((key, pin) -> how.put(key, pin.how));
    return how;
  }

  /// The first that may hold blobs of that index; empty when none can.
  ///
  /// @param uuid of an index; of one that the state does not have nobody knows when it was made
  String holder(String uuid) {
    if (pins.isEmpty()) {
      return "";
    }
    long madeMillis = madeMillis(metadata.current(), uuid) - CLOCKS_APART.toMillis();
    for (Map.Entry<String, Unreadable> pin : pins.entrySet()) {
      if (madeMillis <= pin.getValue().writtenMillis) {
        return pin.getKey() + " that cannot be read";
      }
    }
    return "";
  }

  private static long madeMillis(ClusterState state, String uuid) {
    for (IndexMetadata index : state.indices().values()) {
      if (index.id().uuid().equals(uuid)) {
        return Long.parseLong(index.setting("index.creation_date", "0"));
      }
    }
    return 0;
  }
}
