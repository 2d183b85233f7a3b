package dev.holdfast.blobcache;

/// What the blob cache did since it was opened.
///
/// @param regions regions held now
/// @param bytes bytes held on disk now
/// @param hits moves of a reader onto cached bytes
/// @param misses moves of a reader that had to fetch, or to wait for a fetch
/// @param bytesFetched read from blobs
/// @param evictions regions thrown out to make room
public record CacheStats(
    long regions, long bytes, long hits, long misses, long bytesFetched, long evictions) {}
