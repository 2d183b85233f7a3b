package dev.holdfast.blobcache.stats;

import dev.holdfast.world.CorruptObjectException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which blobs were found damaged, until the same place is found whole or the blob is gone.
public final class DamagedBlobs {
  /// Blobs that are remembered.
  private static final int BLOBS_MAX = 1000;

  /// Guarded by this.
  private final SortedMap<String, CorruptObjectException> byKey = new TreeMap<>();

  /// Of nearly all reads: there is nothing to be mended.
  private volatile boolean isEmpty = true;

  public synchronized void add(CorruptObjectException damage) {
    if (byKey.size() < BLOBS_MAX) {
      byKey.put(damage.key(), damage);
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
    CorruptObjectException damage = byKey.get(key);
    if (damage != null && damage.offset() >= offset && damage.offset() < offset + length) {
      drop(key);
    }
  }

  public synchronized void drop(String key) {
    @Nullable CorruptObjectException _ = byKey.remove(key);
    isEmpty = byKey.isEmpty();
  }

  /// What was found, by the key of the blob.
  public synchronized SortedMap<String, String> seen() {
    SortedMap<String, String> seen = new TreeMap<>();
    byKey.forEach((key, damage) -> seen.put(key, String.valueOf(damage.getMessage())));
    return Collections.unmodifiableSortedMap(seen);
  }
}
