package dev.holdfast.search;

/// The cache of queries' matches, which all search copies of a node share.
///
/// @param bytes on the heap now
/// @param entries now: one a query and segment
/// @param added entries ever
public record QueryCacheFigures(long bytes, long entries, long added, long hits, long misses) {
  public static final QueryCacheFigures NONE = new QueryCacheFigures(0, 0, 0, 0, 0);
}
