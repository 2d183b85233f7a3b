package dev.holdfast.query.aggregation.kernel;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// Buckets by keys that are computed document by document, at work on one shard: a document falls
/// into the bucket of each of its keys. For kinds that have no columnar way.
public final class KeyCollecting implements Collecting {
  /// Documents with their keys are handed on when there are more: of many keys each a block of
  /// documents has very many.
  private static final int PAIRS_MAX = 16 * BLOCK;

  private final Opener opener;
  private final Group children;
  private final Finish finish;
  private final BucketOrdinals ordinals;
  private long[] counts = new long[16];
  private final BucketCounts documents;

  /// Opens a segment.
  @FunctionalInterface
  public interface Opener {
    /// @return null when no document of the segment has a key
    @Nullable Keys open(LeafReaderContext segment) throws IOException;
  }

  /// The keys of documents of one segment, forwards only.
  @FunctionalInterface
  public interface Keys {
    /// Adds the keys of a document; duplicates count once.
    void read(int doc, KeySet into) throws IOException;
  }

  /// Makes the partial result of a parent bucket.
  @FunctionalInterface
  public interface Finish {
    /// @param found in no particular order
    /// @param documents that came to the parent bucket, with or without a key
    Partial of(List<Found> found, long documents, Group children) throws IOException;
  }

  /// A bucket that got documents.
  ///
  /// @param ordinal by which sub-aggregations know it
  public record Found(int ordinal, long key, long count) {
    public Bucket bucket(Object shownKey, Group children) throws IOException {
      return new Bucket(shownKey, count, children.results(ordinal));
    }
  }

  public KeyCollecting(Opener opener, Group children, Finish finish) {
    this.opener = opener;
    this.children = children;
    this.ordinals = new BucketOrdinals(children.memory());
    this.documents = new BucketCounts(children.memory());
    this.finish = finish;
  }

  @Override
  public boolean needsScores() {
    return children.needsScores();
  }

  @Override
  public Leaf leaf(LeafReaderContext segment) throws IOException {
    return new Documents(opener.open(segment), children.leaf(segment));
  }

  @Override
  public Partial result(long bucket) throws IOException {
    List<Found> found = new ArrayList<>();
    for (int ordinal : ordinals.ordinals(bucket)) {
      found.add(
          new Found(ordinal, ordinals.value(ordinal), children.count(ordinal, counts[ordinal])));
    }
    return finish.of(found, documents.of(bucket), children);
  }

  private final class Documents implements Leaf {
    private final @Nullable Keys keys;
    private final @Nullable Leaf below;
    private final KeySet read = new KeySet();
    private int readDoc = -1;
    private int[] childDocs = new int[BLOCK];
    private long[] childBuckets = new long[BLOCK];
    private int kept;

    Documents(@Nullable Keys keys, @Nullable Leaf below) {
      this.keys = keys;
      this.below = below;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      kept = 0;
      for (int i = from; i < to; i++) {
        add(docs[i], bucket);
        handOn();
      }
      BucketFeed.feed(below, childDocs, childBuckets, kept);
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      kept = 0;
      for (int i = 0; i < count; i++) {
        add(docs[i], buckets[i]);
        handOn();
      }
      BucketFeed.feed(below, childDocs, childBuckets, kept);
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      if (below != null) {
        below.setScorer(scorer);
      }
    }

    private void add(int doc, long bucket) throws IOException {
      documents.add(bucket, 1);
      if (keys == null) {
        return;
      }
      if (doc != readDoc) {
        read.clear();
        keys.read(doc, read);
        read.sort();
        readDoc = doc;
      }
      for (int i = 0; i < read.size(); i++) {
        keep(doc, ordinals.add(bucket, read.get(i)));
      }
    }

    private void handOn() throws IOException {
      if (kept >= PAIRS_MAX) {
        BucketFeed.feed(below, childDocs, childBuckets, kept);
        kept = 0;
      }
    }

    private void keep(int doc, int ordinal) {
      if (ordinal >= counts.length) {
        int larger = ArrayUtil.oversize(ordinal + 1, Long.BYTES);
        children.memory().grow(counts.length, larger, Long.BYTES);
        counts = ArrayUtil.growExact(counts, larger);
      }
      counts[ordinal]++;
      if (below == null) {
        return;
      }
      if (kept == childDocs.length) {
        childDocs = ArrayUtil.grow(childDocs, kept + 1);
        childBuckets = ArrayUtil.growExact(childBuckets, childDocs.length);
      }
      childDocs[kept] = doc;
      childBuckets[kept++] = ordinal;
    }
  }
}
