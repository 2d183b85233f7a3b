package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.jspecify.annotations.Nullable;

/// An aggregation at work on one shard: collects into numbered buckets (a top-level aggregation has
/// bucket 0 only), then gives the partial result of each. For one thread.
public interface Collecting {
  /// The most documents of one bulk call.
  int BLOCK = 1024;

  /// Begins a segment; the one before has ended.
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

  /// What a `profile` calls it where its kind alone does not say; null where it does.
  default @Nullable String profiledAs() {
    return null;
  }

  /// Adds what the `profile` of a search tells of its work, after the search.
  default void describe(ObjectNode debug) {}

  /// Collects one segment. Documents come in ascending order over all calls, whatever the bucket,
  /// in bulk where the parent can: hot loops live here.
  interface Leaf {
    /// Adds documents `docs[from..to)`, at most [#BLOCK], strictly ascending, to one bucket:
    /// columnar kinds read their values in bulk.
    void collect(int[] docs, int from, int to, long bucket) throws IOException;

    /// Adds documents `docs[i]` to buckets `buckets[i]`, `i` in `[0, count)`, at most [#BLOCK]. A
    /// document may come several times in a row, for several buckets.
    void collect(int[] docs, long[] buckets, int count) throws IOException;

    /// Adds every document of the segment, none of which is deleted, to one bucket where that is
    /// cheaper than reading each one's values. Asked before any other call, and only when no other
    /// documents will come.
    ///
    /// @return false when the documents must come by the other calls
    default boolean collectWhole(long bucket) throws IOException {
      return false;
    }

    /// Adds the documents of the segment, none of which is deleted, that a rewritten query matches
    /// to one bucket, where that is cheaper than reading each one's values. Asked before any call
    /// but [#collectWhole], and only when no other documents will come.
    ///
    /// @return how many documents they are; -1 when they must come by the other calls
    default long collectMatching(Query query, long bucket) throws IOException {
      return -1;
    }

    /// Adds every document of `[min, max)` to one bucket: no query and no deletions stand between.
    default void collectRange(int min, int max, long bucket) throws IOException {
      int[] docs = new int[Math.min(BLOCK, max - min)];
      for (int start = min; start < max; start += docs.length) {
        int count = Math.min(docs.length, max - start);
        StopSignal.pollForCancelling();
        for (int i = 0; i < count; i++) {
          docs[i] = start + i;
        }
        collect(docs, 0, count, bucket);
      }
    }

    /// Hands over the scorer that stands on the document being collected, for kinds that read
    /// scores.
    default void setScorer(Scorable scorer) throws IOException {}
  }
}
