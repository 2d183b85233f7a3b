package dev.holdfast.blobcache;

import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;

/// How an input is going to be read, by Lucene's hints.
enum Access {
  /// Here and there: a miss fetches a little around it.
  RANDOM,
  /// From front to back: a miss fetches much ahead of it.
  SEQUENTIAL,
  /// Nothing was said: random until reads turn out to be contiguous.
  UNKNOWN,
  /// By a merge, once: uses what is cached, and leaves no trace in the cache.
  MERGE;

  static Access of(IOContext context) {
    if (context.context() == IOContext.Context.MERGE) {
      return MERGE;
    }
    if (context.hints().contains(DataAccessHint.RANDOM)) {
      return RANDOM;
    }
    return context.hints().contains(DataAccessHint.SEQUENTIAL) ? SEQUENTIAL : UNKNOWN;
  }
}
