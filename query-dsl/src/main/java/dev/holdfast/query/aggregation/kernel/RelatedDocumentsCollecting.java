package dev.holdfast.query.aggregation.kernel;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// One bucket of other documents than those that come: the nested objects of a document, or the
/// document that holds an object. Each is collected once a parent bucket.
public final class RelatedDocumentsCollecting implements Collecting {
  private final Opener opener;
  private final Group children;
  private final Finish finish;
  private final BucketCounts counts;
  private @Nullable Documents last;

  /// Opens a segment.
  @FunctionalInterface
  public interface Opener {
    /// @return null when no document of the segment leads anywhere
    @Nullable Move open(LeafReaderContext segment) throws IOException;
  }

  /// From a document to others of its block.
  @FunctionalInterface
  public interface Move {
    void from(int doc, KeySet into) throws IOException;
  }

  /// Makes the partial result of a bucket.
  @FunctionalInterface
  public interface Finish {
    Partial of(long count, Results children);
  }

  public RelatedDocumentsCollecting(Opener opener, Group children, Finish finish) {
    this.opener = opener;
    this.children = children;
    this.finish = finish;
    this.counts = new BucketCounts(children.memory());
  }

  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    flush();
    Move move = opener.open(segment);
    last = move == null ? null : new Documents(move, children.leaf(segment));
    return last;
  }

  @Override
  public Partial result(long bucket) throws IOException {
    flush();
    long count = counts.of(bucket);
    return finish.of(children.count(bucket, count), children.results(bucket));
  }

  private void flush() throws IOException {
    Documents leaf = last;
    last = null;
    if (leaf != null) {
      leaf.move();
      leaf.feed();
    }
  }

  private final class Documents implements Leaf {
    private final Move move;
    private final @Nullable Leaf below;
    private final KeySet moved = new KeySet();
    private final KeySet pendingBuckets = new KeySet();
    private int pending = -1;
    private int[] lastOfBucket = new int[0];
    private int[] childDocs = new int[BLOCK];
    private long[] childBuckets = new long[BLOCK];
    private int kept;

    Documents(Move move, @Nullable Leaf below) {
      this.move = move;
      this.below = below;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      for (int i = from; i < to; i++) {
        add(docs[i], bucket);
      }
      feed();
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        add(docs[i], buckets[i]);
      }
      feed();
    }

    /// A document is moved from once all its buckets are known, so that those it leads to come in
    /// order.
    private void add(int doc, long bucket) throws IOException {
      if (doc != pending) {
        move();
        pending = doc;
      }
      pendingBuckets.add(bucket);
    }

    void move() throws IOException {
      if (pending < 0) {
        return;
      }
      moved.clear();
      move.from(pending, moved);
      for (int i = 0; i < moved.size(); i++) {
        for (int j = 0; j < pendingBuckets.size(); j++) {
          keep((int) moved.get(i), Math.toIntExact(pendingBuckets.get(j)));
        }
      }
      pendingBuckets.clear();
      pending = -1;
    }

    void feed() throws IOException {
      int count = kept;
      kept = 0;
      BucketFeed.feed(below, childDocs, childBuckets, count);
    }

    private void keep(int doc, int bucket) throws IOException {
      if (bucket >= lastOfBucket.length) {
        int old = lastOfBucket.length;
        int larger = ArrayUtil.oversize(bucket + 1, Integer.BYTES);
        children.memory().grow(old, larger, Integer.BYTES);
        lastOfBucket = ArrayUtil.growExact(lastOfBucket, larger);
        Arrays.fill(lastOfBucket, old, lastOfBucket.length, -1);
      }
      if (doc <= lastOfBucket[bucket]) {
        return;
      }
      lastOfBucket[bucket] = doc;
      counts.add(bucket, 1);
      if (kept == BLOCK) { // one document may lead to ten thousand, in each of its buckets
        feed();
      }
      childDocs[kept] = doc;
      childBuckets[kept++] = bucket;
    }
  }
}
