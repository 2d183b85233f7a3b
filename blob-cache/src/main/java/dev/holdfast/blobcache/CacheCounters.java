package dev.holdfast.blobcache;

import java.util.concurrent.atomic.LongAdder;

/// Counters of the blob cache.
final class CacheCounters {
  final LongAdder hits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder bytesFromPinned = new LongAdder();
  final LongAdder bytesFromRegions = new LongAdder();
  final LongAdder bytesFromStore = new LongAdder();
  final LongAdder fetches = new LongAdder();
  final LongAdder bytesFetched = new LongAdder();
  final LongAdder bypassed = new LongAdder();
  final LongAdder prefetches = new LongAdder();
  final LongAdder hedges = new LongAdder();
  final LongAdder hedgesWon = new LongAdder();
  final LongAdder checked = new LongAdder();
  final LongAdder damaged = new LongAdder();
  final LongAdder damagedHere = new LongAdder();

  /// @param regions that are on disk now
  /// @param bytes in them
  /// @param evictions of regions so far
  /// @param bytesPinned of hot regions, in memory
  CacheStats with(int regions, long bytes, long evictions, long bytesPinned) {
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
