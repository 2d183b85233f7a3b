package dev.holdfast.search.cache;

/// What the request cache has done for a shard, or for many.
///
/// @param bytes on the heap now
/// @param evictions entries that made room for others
public record RequestCacheFigures(long bytes, long evictions, long hits, long misses) {
  public static final RequestCacheFigures NONE = new RequestCacheFigures(0, 0, 0, 0);

  RequestCacheFigures plus(RequestCacheFigures other) {
    return new RequestCacheFigures(
        bytes + other.bytes, evictions + other.evictions, hits + other.hits, misses + other.misses);
  }
}
