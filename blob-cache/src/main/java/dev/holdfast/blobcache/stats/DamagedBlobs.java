package dev.holdfast.blobcache.stats;

import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which blobs were found damaged, until the same place is found whole or the blob is gone. The
/// place is looked at again by and by: who mends the object may never read it again.
public final class DamagedBlobs {
  private static final Logger LOG = LoggerFactory.getLogger(DamagedBlobs.class);

  /// Places that are looked at again at a time.
  private static final int LOOKS_MAX = 16;

  /// Blobs that are remembered.
  private static final int BLOBS_MAX = 1000;

  /// Guarded by this.
  private final SortedMap<String, Damage> byKey = new TreeMap<>();

  /// Where the next look begins; guarded by this.
  private String lookedAt = "";

  /// Of nearly all reads: there is nothing to be mended.
  private volatile boolean isEmpty = true;

  /// Reads a place again, and says so here when it is whole.
  public interface Look {
    void look() throws IOException;
  }

  private record Damage(CorruptObjectException found, Look again) {}

  public synchronized void add(CorruptObjectException damage, Look again) {
    if (byKey.size() < BLOBS_MAX) {
      byKey.put(damage.key(), new Damage(damage, again));
      isEmpty = false;
    }
  }

  /// These bytes of a blob are whole.
  ///
  /// @param offset -1 for its tail
  public void whole(String key, long offset, long length) {
    if (!isEmpty) {
      wholeNow(key, offset, length);
    }
  }

  private synchronized void wholeNow(String key, long offset, long length) {
    Damage damage = byKey.get(key);
    if (damage != null
        && damage.found.offset() >= offset
        && damage.found.offset() < offset + length) {
      drop(key);
    }
  }

  public synchronized void drop(String key) {
    @Nullable Damage _ = byKey.remove(key);
    isEmpty = byKey.isEmpty();
  }

  /// Looks again at some of the places, others the next time.
  public void lookAgain() {
    if (isEmpty) {
      return;
    }
    for (Map.Entry<String, Look> one : nextLooks().entrySet()) {
      try {
        one.getValue().look();
      } catch (IOException | RuntimeException e) {
        LOG.debug("still damaged [key={}]", one.getKey(), e);
      }
    }
  }

  private synchronized SortedMap<String, Look> nextLooks() {
    SortedMap<String, Look> looks = new TreeMap<>();
    for (SortedMap<String, Damage> part : List.of(byKey.tailMap(lookedAt), byKey)) {
      for (Map.Entry<String, Damage> one : part.entrySet()) {
        if (looks.size() < LOOKS_MAX) {
          looks.put(one.getKey(), one.getValue().again);
          lookedAt = one.getKey() + '\0';
        }
      }
    }
    return looks;
  }

  /// What was found, by the key of the blob.
  public synchronized SortedMap<String, String> seen() {
    SortedMap<String, String> seen = new TreeMap<>();
    byKey.forEach((key, damage) -> seen.put(key, String.valueOf(damage.found.getMessage())));
    return Collections.unmodifiableSortedMap(seen);
  }
}
