package dev.holdfast.blobcache.stats;

import java.util.concurrent.atomic.LongAdder;

/// Counters of the blob cache.
public final class CacheCounters {
  public final LongAdder hits = new LongAdder();
  public final LongAdder misses = new LongAdder();
  public final LongAdder bytesFromPinned = new LongAdder();
  public final LongAdder bytesFromRegions = new LongAdder();
  public final LongAdder bytesFromStore = new LongAdder();
  public final LongAdder fetches = new LongAdder();
  public final LongAdder bytesFetched = new LongAdder();
  public final LongAdder bypassed = new LongAdder();
  public final LongAdder prefetches = new LongAdder();
  public final LongAdder hedges = new LongAdder();
  public final LongAdder hedgesWon = new LongAdder();
  public final LongAdder checked = new LongAdder();
  public final LongAdder damaged = new LongAdder();
  public final LongAdder damagedHere = new LongAdder();

  /// @param regions that are on disk now
  /// @param bytes in them
  /// @param evictions of regions so far
  /// @param bytesPinned of hot regions, in memory
  public CacheStats with(int regions, long bytes, long evictions, long bytesPinned) {
    return new CacheStats(
        regions,
        bytes,
        bytesPinned,
        hits.sum(),
        misses.sum(),
        bytesFromPinned.sum(),
        bytesFromRegions.sum(),
        bytesFromStore.sum(),
        fetches.sum(),
        bytesFetched.sum(),
        evictions,
        bypassed.sum(),
        prefetches.sum(),
        hedges.sum(),
        hedgesWon.sum(),
        checked.sum(),
        damaged.sum(),
        damagedHere.sum());
  }
}
