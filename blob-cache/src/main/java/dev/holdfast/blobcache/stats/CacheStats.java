package dev.holdfast.blobcache.stats;

/// What the blob cache did since it was opened. Bytes of hits and misses are those that readers
/// asked for when they moved, not those they read before they moved on.
///
/// @param regions regions held now
/// @param bytes bytes held on disk now
/// @param bytesPinned bytes of hot regions held on the heap now
/// @param hits moves of a reader onto cached bytes, pinned or in a region
/// @param misses moves of a reader that had to fetch, or to wait for a fetch
/// @param bytesFromPinned answered by pinned hot regions
/// @param bytesFromRegions answered by regions on disk
/// @param bytesFromStore that readers had to wait for
/// @param fetches requests for bytes of blobs, hedges not counted
/// @param bytesFetched read from blobs
/// @param evictions regions thrown out to make room
/// @param bypassed fetches that were not admitted: merges, and scans that found no cold region
/// @param prefetches fetches ahead of a reader
/// @param hedges second requests, sent because the first was slow
/// @param hedgesWon second requests that answered first
/// @param checked pages of 64 KiB that were checked against the checksums of their blob
/// @param damaged reads of blobs that did not match them
/// @param damagedHere pages of this cache's own files that did not match theirs after a restart,
///   and were fetched again
public record CacheStats(
    long regions,
    long bytes,
    long bytesPinned,
    long hits,
    long misses,
    long bytesFromPinned,
    long bytesFromRegions,
    long bytesFromStore,
    long fetches,
    long bytesFetched,
    long evictions,
    long bypassed,
    long prefetches,
    long hedges,
    long hedgesWon,
    long checked,
    long damaged,
    long damagedHere) {}
