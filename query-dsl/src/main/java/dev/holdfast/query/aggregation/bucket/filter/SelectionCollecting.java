package dev.holdfast.query.aggregation.bucket.filter;

import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// Documents of several selections at work on one shard: bucket `parent * size + i` has those of
/// selection `i`, the last those of none where that is asked for.
public final class SelectionCollecting implements Collecting {
  private final Opener opener;
  private final int selections;
  private final boolean hasRest;
  private final Group children;
  private final Finish finish;
  private long[] counts;

  /// Opens the selections on a segment.
  @FunctionalInterface
  public interface Opener {
    SelectedDocuments[] open(LeafReaderContext segment) throws IOException;
  }

  /// Makes the result of a parent bucket.
  @FunctionalInterface
  public interface Finish {
    Partial of(long[] counts, Results[] children);
  }

  public SelectionCollecting(
      Opener opener, int selections, boolean hasRest, Group children, Finish finish) {
    this.opener = opener;
    this.selections = selections;
    this.hasRest = hasRest;
    this.children = children;
    this.finish = finish;
    this.counts = new long[size()];
  }

  private int size() {
    return selections + (hasRest ? 1 : 0);
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
    children.hold(size());
    long[] counted = new long[size()];
    Results[] results = new Results[size()];
    for (int i = 0; i < size(); i++) {
      long ordinal = bucket * size() + i;
      long count = ordinal < counts.length ? counts[(int) ordinal] : 0;
      counted[i] = children.count(ordinal, count);
      results[i] = children.results(ordinal);
    }
    return finish.of(counted, results);
  }

  private void ensure(long bucket) {
    long size = (bucket + 1) * size();
    if (size > counts.length) {
      int larger = ArrayUtil.oversize(Math.toIntExact(size), Long.BYTES);
      children.memory().grow(counts.length, larger, Long.BYTES);
      counts = ArrayUtil.growExact(counts, larger);
    }
  }

  private final class Documents implements Leaf {
    private final SelectedDocuments[] selected;
    private final @Nullable Leaf below;
    private final int[] childDocs = new int[BLOCK];
    private final long[] childBuckets = new long[BLOCK];
    private int kept;

    Documents(SelectedDocuments[] selected, @Nullable Leaf below) {
      this.selected = selected;
      this.below = below;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      ensure(bucket);
      kept = 0;
      for (int i = from; i < to; i++) {
        StopSignal.poll();
        add(docs[i], bucket);
      }
      flush(bucket);
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      kept = 0;
      for (int i = 0; i < count; i++) {
        StopSignal.poll();
        ensure(buckets[i]);
        add(docs[i], buckets[i]);
      }
      BucketFeed.feed(below, childDocs, childBuckets, kept);
    }

    @Override
    public boolean collectWhole(long bucket) throws IOException {
      if (below != null || hasRest) {
        return false;
      }
      int[] counted = new int[selections];
      for (int i = 0; i < selections; i++) {
        counted[i] = selected[i].count();
        if (counted[i] < 0) {
          return false;
        }
      }
      ensure(bucket);
      for (int i = 0; i < selections; i++) {
        counts[(int) bucket * size() + i] += counted[i];
      }
      return true;
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      if (below != null) {
        below.setScorer(scorer);
      }
    }

    private void add(int doc, long bucket) throws IOException {
      int base = (int) bucket * size();
      boolean isAny = false;
      for (int i = 0; i < selections; i++) {
        if (selected[i].has(doc)) {
          isAny = true;
          keep(doc, base + i);
        }
      }
      if (hasRest && !isAny) {
        keep(doc, base + selections);
      }
    }

    private void keep(int doc, int ordinal) throws IOException {
      counts[ordinal]++;
      if (below != null) {
        if (kept == BLOCK) { // a document may be in each of thousands of selections
          BucketFeed.feed(below, childDocs, childBuckets, kept);
          kept = 0;
        }
        childDocs[kept] = doc;
        childBuckets[kept++] = ordinal;
      }
    }

    /// A lone selection has one bucket, which children take faster.
    private void flush(long bucket) throws IOException {
      if (below != null && kept > 0 && size() == 1) {
        below.collect(childDocs, 0, kept, bucket);
      } else {
        BucketFeed.feed(below, childDocs, childBuckets, kept);
      }
    }
  }
}
