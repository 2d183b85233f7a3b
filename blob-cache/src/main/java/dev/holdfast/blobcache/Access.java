package dev.holdfast.blobcache;

import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.blobcache.region.ReadRequest;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;

/// How an input is going to be read, by Lucene's hints and by what lies in the file.
enum Access {
  /// Here and there: a miss fetches a little around it.
  RANDOM,
  /// From front to back: a miss fetches much ahead of it.
  SEQUENTIAL,
  /// A small column that a query reads all over: a prefetch of its first byte means all of it.
  COLUMN,
  /// Nothing was said: random until reads turn out to be contiguous.
  UNKNOWN,
  /// By a merge, once: uses what is cached, and leaves no trace in the cache.
  MERGE;

  /// One byte a document: what a query that scores reads of every segment.
  private static final String NORMS = ".nvd";

  /// @param name of the Lucene file
  static Access of(String name, IOContext context) {
    Access hinted = of(context);
    return hinted == UNKNOWN && name.endsWith(NORMS) ? COLUMN : hinted;
  }

  static Access of(IOContext context) {
    if (context.context() == IOContext.Context.MERGE) {
      return MERGE;
    }
    if (context.hints().contains(DataAccessHint.RANDOM)) {
      return RANDOM;
    }
    return context.hints().contains(DataAccessHint.SEQUENTIAL) ? SEQUENTIAL : UNKNOWN;
  }

  /// The access of a slice that was opened with hints of its own.
  Access ofSlice(IOContext context) {
    Access hinted = of(context);
    return this == MERGE || (this == COLUMN && hinted == UNKNOWN) ? this : hinted;
  }

  /// How many bytes a miss fetches.
  ///
  /// @param before what the miss before fetched, which ended where this one begins; 0 for none
  long fetchBytes(CacheConfig config, long before) {
    return switch (this) {
      case RANDOM -> config.randomFetch().bytes();
      case SEQUENTIAL, COLUMN -> config.sequentialFetch().bytes();
      case MERGE -> config.mergeFetch().bytes();
      case UNKNOWN ->
          before > 0
              ? Math.min(2 * before, config.sequentialFetch().bytes())
              : config.randomFetch().bytes();
    };
  }

  /// Whether a miss fetches ahead of it only.
  ///
  /// @param isContiguous it is where the window before ended
  boolean isForward(boolean isContiguous) {
    return switch (this) {
      case RANDOM -> false;
      case SEQUENTIAL, COLUMN, MERGE -> true;
      case UNKNOWN -> isContiguous;
    };
  }

  /// A scan takes no room from what others come back to: what is read from front to back, and what
  /// turned out to be.
  ///
  /// @param fetchBytes what the miss fetches
  ReadRequest.Admission admission(CacheConfig config, long fetchBytes) {
    return switch (this) {
      case MERGE -> ReadRequest.Admission.NONE;
      case SEQUENTIAL -> ReadRequest.Admission.COLD_ONLY;
      case RANDOM, COLUMN -> ReadRequest.Admission.FULL;
      case UNKNOWN ->
          fetchBytes < config.sequentialFetch().bytes()
              ? ReadRequest.Admission.FULL
              : ReadRequest.Admission.COLD_ONLY;
    };
  }
}
