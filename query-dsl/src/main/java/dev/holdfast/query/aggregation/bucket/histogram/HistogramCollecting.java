package dev.holdfast.query.aggregation.bucket.histogram;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.aggregation.column.Bins;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.column.PointCounts;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.BucketOrdinals;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.collect.PointInterval;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// A histogram at work on one shard. Where the shard's span has few buckets they are counted in
/// arrays, one row of cells a parent bucket; else, and for parents beyond the arrays, by hash.
final class HistogramCollecting implements Collecting {
  private static final int DENSE_MAX = 4 * Bins.BINS_MAX;

  /// A bucket of the result with its key.
  private static final long BUCKET_BYTES = 64;

  private final BoundField field;
  private final Grid grid;
  private final GridCells cells;
  private final int denseParents;
  private final Group children;
  private final LongPredicate isWithin;
  private final Finish finish;
  private final BucketOrdinals ordinals;
  private long[] counts = new long[1];
  private long[] keys = new long[BLOCK];
  private int[] childDocs = new int[BLOCK];
  private long[] childBuckets = new long[BLOCK];

  /// Makes the partial result of buckets in ascending order of key.
  @FunctionalInterface
  interface Finish {
    Partial of(List<Bucket> buckets);
  }

  /// @param span of the shard; null when unknown
  /// @param isWithin which keys the request's hard bounds allow
  HistogramCollecting(
      BoundField field,
      Grid grid,
      BoundField.@Nullable Span span,
      Group children,
      LongPredicate isWithin,
      Finish finish) {
    this.field = field;
    this.grid = grid;
    this.cells = span == null ? GridCells.NONE : grid.cells(span);
    this.denseParents = cells.size() == 0 ? 0 : Math.max(1, DENSE_MAX / cells.size());
    this.children = children;
    this.ordinals = new BucketOrdinals(children.memory());
    this.isWithin = isWithin;
    this.finish = finish;
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
    List<Bucket> buckets = new ArrayList<>();
    if (bucket < denseParents) {
      long base = bucket * cells.size();
      for (int bin = 0; bin < cells.size(); bin++) {
        add(buckets, cells.key(bin), base + bin);
      }
    }
    long base = hashBase();
    for (int ordinal : ordinals.ordinals(bucket)) {
      add(buckets, ordinals.value(ordinal), base + ordinal);
    }
    buckets.sort(Bucket.BY_KEY);
    return finish.of(buckets);
  }

  @Override
  public void describe(ObjectNode debug) {
    debug.put("total_buckets", Arrays.stream(counts).filter(count -> count > 0).count());
  }

  private void add(List<Bucket> buckets, long key, long ordinal) throws IOException {
    long count = ordinal < counts.length ? counts[(int) ordinal] : 0;
    if (count > 0 && isWithin.test(key)) {
      children.memory().add(BUCKET_BYTES);
      buckets.add(
          new Bucket(
              grid.shownKey(key), children.count(ordinal, count), children.results(ordinal)));
    }
  }

  /// Where ordinals by hash begin.
  private int hashBase() {
    return denseParents * cells.size();
  }

  private void ensure(long ordinal) {
    if (ordinal >= counts.length) {
      int larger = ArrayUtil.oversize(Math.toIntExact(ordinal + 1), Long.BYTES);
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
      if (column.count == 0) {
        return;
      }
      room();
      if (bucket < denseParents) {
        dense(docs, from, to, bucket);
      } else {
        grid.keys(column.values, column.count, keys);
        for (int i = 0; i < column.count; i++) {
          keys[i] = hashed(bucket, keys, i);
        }
        count(docs, from);
      }
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      column.readPairs(docs, count);
      if (column.count == 0) {
        return;
      }
      room();
      boolean isDense = denseParents > 0;
      for (int i = 0; isDense && i < count; i++) {
        isDense = buckets[i] < denseParents;
      }
      if (isDense) {
        grid.bins(cells, column.values, column.count, keys);
        for (int i = 0; i < column.count; i++) {
          long ordinal = parent(buckets, i) * cells.size() + keys[i];
          ensure(ordinal);
          keys[i] = ordinal;
        }
      } else {
        mixed(buckets);
      }
      count(docs, 0);
    }

    @Override
    public boolean collectWhole(long bucket) throws IOException {
      if (below != null || bucket >= denseParents) {
        return false;
      }
      PointValues points = field.countablePoints(reader);
      if (points == null || !PointCounts.isWorth(points, cells.bins().bounds(), cells.size())) {
        return false;
      }
      long[] row = new long[cells.size()];
      PointCounts.add(points, cells.bins().bounds(), row.length, row);
      add(row, bucket);
      return true;
    }

    @Override
    public long collectMatching(Query query, long bucket) throws IOException {
      PointValues points = field.countablePoints(reader);
      if (below != null || bucket >= denseParents || points == null) {
        return -1;
      }
      PointInterval asked = field.asked(query, points);
      long[] row =
          asked == null
              ? null
              : PointCounts.within(points, asked, cells.bins().bounds(), cells.size());
      if (row == null) {
        return -1;
      }
      add(row, bucket);
      return Arrays.stream(row).sum();
    }

    private void add(long[] row, long bucket) {
      int base = (int) bucket * row.length;
      ensure(base + row.length - 1L);
      for (int bin = 0; bin < row.length; bin++) {
        counts[base + bin] += row[bin];
      }
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      if (below != null) {
        below.setScorer(scorer);
      }
    }

    /// One parent with a row of cells: blocks inside one cell, frequent in time-ordered data, are
    /// counted without looking at each value.
    private void dense(int[] docs, int from, int to, long bucket) throws IOException {
      int base = (int) bucket * cells.size();
      ensure(base + cells.size() - 1L);
      Bins bins = cells.bins();
      long[] values = column.values;
      if (column.isAligned) {
        long min = values[0];
        long max = values[0];
        for (int i = 1; i < column.count; i++) {
          min = Math.min(min, values[i]);
          max = Math.max(max, values[i]);
        }
        int bin = bins.bin(min);
        if (bin + 1 == cells.size() || max < bins.bounds()[bin + 1]) {
          counts[base + bin] += column.count;
          if (below != null) {
            below.collect(docs, from, to, base + bin);
          }
          return;
        }
      }
      grid.bins(cells, values, column.count, keys);
      if (base > 0) {
        for (int i = 0; i < column.count; i++) {
          keys[i] += base;
        }
      }
      count(docs, from);
    }

    private void mixed(long[] buckets) {
      grid.keys(column.values, column.count, keys);
      for (int i = 0; i < column.count; i++) {
        long bucket = parent(buckets, i);
        if (bucket < denseParents) {
          long ordinal = bucket * cells.size() + cells.bins().bin(column.values[i]);
          ensure(ordinal);
          keys[i] = ordinal;
        } else {
          keys[i] = hashed(bucket, keys, i);
        }
      }
    }

    private long hashed(long bucket, long[] keys, int i) {
      long ordinal = hashBase() + (long) ordinals.add(bucket, keys[i]);
      ensure(ordinal);
      return ordinal;
    }

    private long parent(long[] buckets, int i) {
      return buckets[column.origin(i)];
    }

    /// Counts the ordinals in [#keys], one a value read, and passes documents on.
    private void count(int[] docs, int from) throws IOException {
      long[] ordinalOf = keys;
      long[] into = counts;
      if (column.isAligned) {
        for (int i = 0; i < column.count; i++) {
          into[(int) ordinalOf[i]]++;
        }
        if (below != null) {
          System.arraycopy(docs, from, childDocs, 0, column.count);
          below.collect(childDocs, ordinalOf, column.count);
        }
        return;
      }
      int kept = 0;
      for (int i = 0; i < column.count; i++) {
        if (i > 0
            && column.origins[i] == column.origins[i - 1]
            && ordinalOf[i] == ordinalOf[i - 1]) {
          continue;
        }
        into[(int) ordinalOf[i]]++;
        childDocs[kept] = docs[from + column.origins[i]];
        childBuckets[kept++] = ordinalOf[i];
      }
      BucketFeed.feed(below, childDocs, childBuckets, kept);
    }

    private void room() {
      if (keys.length < column.values.length) {
        keys = new long[column.values.length];
        childDocs = Arrays.copyOf(childDocs, keys.length);
        childBuckets = Arrays.copyOf(childBuckets, keys.length);
      }
    }
  }
}
