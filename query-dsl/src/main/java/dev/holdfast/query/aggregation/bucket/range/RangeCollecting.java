package dev.holdfast.query.aggregation.bucket.range;

import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.column.PointCounts;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.aggregation.kernel.Partial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// Ranges at work on one shard. Each is a span of doc values, so that numbers need no decoding.
final class RangeCollecting implements Collecting {
  private static final int POINTS_PER_BOUND = 1024;

  /// Documents with their ranges are handed on when there are more: of many ranges that overlap a
  /// block of documents has very many.
  private static final int PAIRS_MAX = 16 * BLOCK;

  private final RangePartial.Request request;
  private final BoundField field;
  private final List<RangeBucket> ranges;
  private final long[] firsts;
  private final long[] ends;
  private final IntervalTree tree;
  private final KeySet found = new KeySet();
  private final Group children;
  private long[] counts;
  private int[] childDocs = new int[BLOCK];
  private long[] childBuckets = new long[BLOCK];

  /// @param ranges in the order of the answer
  /// @param firsts smallest doc value of each range, ascending
  /// @param ends doc value past each range; [Long#MAX_VALUE] for open
  RangeCollecting(
      RangePartial.Request request,
      BoundField field,
      List<RangeBucket> ranges,
      long[] firsts,
      long[] ends,
      Group children) {
    this.request = request;
    this.field = field;
    this.ranges = ranges;
    this.firsts = firsts;
    this.ends = ends;
    this.tree = new IntervalTree(firsts, ends);
    this.children = children;
    this.counts = new long[ranges.size()];
  }

  @Override
  public boolean needsScores() {
    return children.needsScores();
  }

  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    LongColumn column = LongColumn.open(segment.reader(), field);
    return column == null ? null : new Values(segment.reader(), column, children.leaf(segment));
  }

  @Override
  public Partial result(long bucket) throws IOException {
    children.hold(ranges.size());
    List<RangeBucket> counted = new ArrayList<>(ranges.size());
    for (int i = 0; i < ranges.size(); i++) {
      long ordinal = bucket * ranges.size() + i;
      long count = ordinal < counts.length ? counts[(int) ordinal] : 0;
      counted.add(ranges.get(i).with(children.count(ordinal, count), children.results(ordinal)));
    }
    return new RangePartial(request, counted, field.shown());
  }

  private void ensure(long bucket) {
    long size = (bucket + 1) * ranges.size();
    if (size > counts.length) {
      int larger = ArrayUtil.oversize(Math.toIntExact(size), Long.BYTES);
      children.memory().grow(counts.length, larger, Long.BYTES);
      counts = ArrayUtil.growExact(counts, larger);
    }
  }

  private final class Values implements Leaf {
    private final LeafReader reader;
    private final LongColumn column;
    private final @Nullable Leaf below;

    Values(LeafReader reader, LongColumn column, @Nullable Leaf below) {
      this.reader = reader;
      this.column = column;
      this.below = below;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      column.read(docs, from, to);
      ensure(bucket);
      if (column.isAligned && below == null) {
        for (int range = 0; range < firsts.length; range++) {
          counts[(int) bucket * firsts.length + range] += count(range);
        }
        return;
      }
      add(docs, from, _ -> bucket);
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        ensure(buckets[i]);
      }
      column.readPairs(docs, count);
      add(docs, 0, i -> buckets[column.origin(i)]);
    }

    @Override
    public boolean collectWhole(long bucket) throws IOException {
      PointValues points = below == null ? field.countablePoints(reader) : null;
      if (points == null || 2L * firsts.length * POINTS_PER_BOUND > points.size()) {
        return false;
      }
      ensure(bucket);
      for (int range = 0; range < firsts.length; range++) {
        if (firsts[range] < ends[range]) {
          long[] bounds = {firsts[range], ends[range]};
          long[] counted = new long[2];
          PointCounts.add(points, bounds, ends[range] == Long.MAX_VALUE ? 1 : 2, counted);
          counts[(int) bucket * firsts.length + range] += counted[0];
        }
      }
      return true;
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      if (below != null) {
        below.setScorer(scorer);
      }
    }

    private interface Parents {
      long of(int index);
    }

    private int count(int range) {
      long first = firsts[range];
      long last = ends[range] == Long.MAX_VALUE ? Long.MAX_VALUE : ends[range] - 1;
      long[] values = column.values;
      int count = 0;
      if (first > last) {
        return 0;
      }
      for (int i = 0; i < column.count; i++) {
        count += values[i] >= first && values[i] <= last ? 1 : 0;
      }
      return count;
    }

    /// Document by document, as sub-aggregations want them; a document with several values in one
    /// range counts once.
    private void add(int[] docs, int from, Parents parents) throws IOException {
      int kept = 0;
      int i = 0;
      while (i < column.count) {
        int origin = column.origin(i);
        int end = i + 1;
        while (!column.isAligned && end < column.count && column.origins[end] == origin) {
          end++;
        }
        find(i, end);
        for (int each = 0; each < found.size(); each++) {
          int ordinal = (int) (parents.of(i) * firsts.length + found.get(each));
          counts[ordinal]++;
          if (below != null) {
            room(kept);
            childDocs[kept] = docs[from + origin];
            childBuckets[kept++] = ordinal;
          }
        }
        if (kept >= PAIRS_MAX) {
          BucketFeed.feed(below, childDocs, childBuckets, kept);
          kept = 0;
        }
        i = end;
      }
      BucketFeed.feed(below, childDocs, childBuckets, kept);
    }

    /// The ranges that hold any of some values, each once.
    private void find(int start, int end) {
      found.clear();
      for (int i = start; i < end; i++) {
        tree.find(column.values[i], found);
      }
      found.sort();
    }

    private void room(int kept) {
      if (kept == childDocs.length) {
        childDocs = ArrayUtil.grow(childDocs, kept + 1);
        childBuckets = ArrayUtil.growExact(childBuckets, childDocs.length);
      }
    }
  }
}
