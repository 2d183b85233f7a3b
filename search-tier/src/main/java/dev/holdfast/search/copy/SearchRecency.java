package dev.holdfast.search.copy;

/// When a search copy was searched, and when its indexing node last heard of that: an index that
/// nobody searches need not refresh, and its copies need hold no reader.
final class SearchRecency {
  private final long createdNanos;
  private volatile long searchedNanos;
  private volatile boolean wasSearched;
  private volatile long reportedNanos;
  private volatile boolean wasReported;

  SearchRecency(long createdNanos) {
    this.createdNanos = createdNanos;
  }

  /// Notes a search.
  void searched(long nowNanos) {
    searchedNanos = nowNanos;
    wasSearched = true;
  }

  /// How long nobody has searched it, since it was made at most.
  long idleNanos(long nowNanos) {
    return nowNanos - (wasSearched ? searchedNanos : createdNanos);
  }

  /// How long ago it was searched; -1: never.
  long sinceSearchMillis(long nowNanos) {
    return wasSearched ? (nowNanos - searchedNanos) / 1_000_000 : -1;
  }

  /// Whether the indexing node does not know, or has long not heard, that the copy is searched.
  boolean mustReport(long nowNanos, long everyNanos) {
    return !wasReported || nowNanos - reportedNanos >= everyNanos;
  }

  /// Notes that the indexing node is told.
  void reported(long nowNanos) {
    reportedNanos = nowNanos;
    wasReported = true;
  }
}
