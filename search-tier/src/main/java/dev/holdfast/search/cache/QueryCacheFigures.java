package dev.holdfast.search.cache;

/// What the query cache has done for a shard, or for many.
///
/// @param bytes on the heap now
/// @param entries queries remembered now, each once a segment
/// @param added since the process began
public record QueryCacheFigures(long bytes, long entries, long added, long hits, long misses) {
  public static final QueryCacheFigures NONE = new QueryCacheFigures(0, 0, 0, 0, 0);

  QueryCacheFigures plus(QueryCacheFigures other) {
    return new QueryCacheFigures(
        bytes + other.bytes,
        entries + other.entries,
        added + other.added,
        hits + other.hits,
        misses + other.misses);
  }
}
