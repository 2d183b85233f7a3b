package dev.holdfast.search.node;

/// What a search node is asked besides searches. Questions and answers are JSON; see `NodeAnswers`.
public enum NodeQuestion {
  /// A question about the newest commit of a shard.
  SHARD,
  /// The segments of the commit being searched.
  SEGMENTS,
  /// Bytes of its files.
  FILE_BYTES,
  /// Keep the commit of a shard open.
  OPEN,
  /// What a scroll is, and how far: all that another node needs to keep the same.
  DESCRIBE,
  /// Keep the commit of a scroll that another node keeps too.
  OPEN_SPARE,
  /// The client of a scroll has some pages: go on after them, and say where that is.
  SETTLE,
  /// Keep it longer.
  KEEP,
  /// Let it go.
  CLOSE,
  /// One of the questions about contexts, about several of them: an answer to each, none where it
  /// would be refused.
  EACH,
  /// Let all of a point in time go.
  CLOSE_PINNED,
  /// Let all of a kind go.
  CLOSE_ALL,
  /// How many of a kind there are.
  COUNT,
  /// What the caches hold and have done, by shard.
  CACHES,
  /// What was searched, by shard.
  SEARCHES,
  /// How often searches read each field of some indices, by copy.
  FIELD_USE,
  /// Empty caches of some indices.
  CLEAR_CACHES,
  /// What damage keeps the copy of a shard from being opened, if any does.
  DAMAGE,
  /// What of a shard lies in the node's cache, for a node that is to have a copy, too.
  CACHED;

  /// Whether the answer says what documents there are: not to be had from a node that may have been
  /// evicted.
  public boolean readsCommits() {
    return switch (this) {
      case SHARD, SEGMENTS, FILE_BYTES, OPEN, OPEN_SPARE -> true;
      case DESCRIBE,
          SETTLE,
          KEEP,
          CLOSE,
          CLOSE_PINNED,
          EACH,
          CLOSE_ALL,
          COUNT,
          CACHES,
          SEARCHES,
          FIELD_USE,
          CLEAR_CACHES,
          DAMAGE,
          CACHED ->
          false;
    };
  }
}
