package dev.holdfast.world.concurrent;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What was wanted last of what is dear to make, within a number and within bytes. Any thread may
/// ask.
public final class RecentlyUsed<K, V> {
  private final int countMax;
  private final long bytesMax;

  // Guarded by this, as what follows. The one that was wanted longest ago first.
  private final LinkedHashMap<K, Kept<V>> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long evictions;

  private record Kept<V>(V value, long bytes) {}

  /// @param bytesMax of all that is kept, as whoever keeps it says
  public RecentlyUsed(int countMax, long bytesMax) {
    this.countMax = countMax;
    this.bytesMax = bytesMax;
  }

  /// One that takes so much of the heap of this process at most.
  ///
  /// @param heapShare one part in so many
  public static <K, V> RecentlyUsed<K, V> ofHeap(int countMax, int heapShare) {
    return new RecentlyUsed<>(countMax, Runtime.getRuntime().maxMemory() / heapShare);
  }

  /// Null for what is not kept.
  public synchronized @Nullable V find(K key) {
    Kept<V> known = kept.get(key);
    return known == null ? null : known.value;
  }

  /// Keeps a value until others are wanted more; one that is too large by itself is not.
  ///
  /// @param size of the value and its key, in bytes
  public synchronized void keep(K key, V value, long size) {
    if (size > bytesMax) {
      return;
    }
    Kept<V> before = kept.put(key, new Kept<>(value, size));
    bytes += size - (before == null ? 0 : before.bytes);
    Iterator<Map.Entry<K, Kept<V>>> oldest = kept.entrySet().iterator();
    while (kept.size() > countMax || bytes > bytesMax) {
      bytes -= oldest.next().getValue().bytes;
      oldest.remove();
      evictions++;
    }
  }

  /// How many are kept.
  public synchronized int count() {
    return kept.size();
  }

  /// Of all that is kept, as whoever keeps it says.
  public synchronized long bytes() {
    return bytes;
  }

  /// How many had to go for others.
  public synchronized long evictions() {
    return evictions;
  }
}
