package dev.holdfast.query.aggregation;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/// An aggregation at work on one shard: collects into numbered buckets (a top-level aggregation has
/// bucket 0 only), then gives the partial result of each.
public interface Collecting {
  /// Begins a segment.
  ///
  /// @return null when no document of this segment can matter
  @Nullable Leaf leaf(LeafReaderContext segment) throws IOException;

  /// The partial result of a bucket, after all segments; an empty one for a bucket that got no
  /// document.
  Partial result(long bucket) throws IOException;

  /// Whether scores are read.
  default boolean needsScores() {
    return false;
  }

  /// Collects one segment. Documents come in ascending order, in bulk where the parent can: hot
  /// loops live here.
  interface Leaf {
    /// Adds one document to a bucket.
    void collect(int doc, long bucket) throws IOException;

    /// Adds documents `docs[from..to)` to one bucket: columnar kinds read their values in bulk.
    default void collect(int[] docs, int from, int to, long bucket) throws IOException {
      for (int i = from; i < to; i++) {
        collect(docs[i], bucket);
      }
    }

    /// Adds documents `docs[i]` to buckets `buckets[i]`, `i` in `[0, count)`.
    default void collect(int[] docs, long[] buckets, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        collect(docs[i], buckets[i]);
      }
    }

    /// Adds every document of `[min, max)` to one bucket: no query and no deletions stand between.
    default void collectRange(int min, int max, long bucket) throws IOException {
      for (int doc = min; doc < max; doc++) {
        collect(doc, bucket);
      }
    }
  }
}
