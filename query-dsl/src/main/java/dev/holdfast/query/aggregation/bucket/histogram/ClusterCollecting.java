package dev.holdfast.query.aggregation.bucket.histogram;

import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.BucketOrdinals;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Partial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// `variable_width_histogram` at work on one shard. Each parent bucket begins with a cluster for
/// every value; when these are too many, further values fall into cells that become wider, until
/// all are clustered at the end.
final class ClusterCollecting implements Collecting {
  /// Clusters of a parent bucket at one width, as a multiple of those it returns.
  private static final int SLACK = 4;

  /// Of a parent bucket: width, cells, least and most.
  private static final int PARENT_BYTES = 3 * Double.BYTES + Integer.BYTES;

  /// Of a cluster: sum, least and most.
  private static final int CLUSTER_BYTES = 3 * Double.BYTES;

  private final VariableWidthHistogram request;
  private final BoundField field;
  private final Group children;
  private final BucketOrdinals ordinals;
  private long[] counts = new long[16];
  private double[] sums = new double[16];
  private double[] mins = new double[16];
  private double[] maxs = new double[16];
  private double[] widths = new double[0];
  private int[] distinct = new int[0];
  private double[] leasts = new double[0];
  private double[] mosts = new double[0];

  ClusterCollecting(VariableWidthHistogram request, BoundField field, Group children) {
    this.request = request;
    this.field = field;
    this.children = children;
    this.ordinals = new BucketOrdinals(children.memory());
  }

  @Override
  public boolean needsScores() {
    return children.needsScores();
  }

  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    LongColumn column = LongColumn.open(segment.reader(), field);
    return column == null ? null : new Values(column, children.leaf(segment));
  }

  @Override
  public Partial result(long bucket) throws IOException {
    List<ClusterPartial.Cluster> clusters = new ArrayList<>();
    for (int ordinal : ordinals.ordinals(bucket)) {
      long count = children.count(ordinal, counts[ordinal]);
      clusters.add(
          new ClusterPartial.Cluster(
              // So that the mean stays, of documents that stand for several too.
              count == counts[ordinal] ? sums[ordinal] : sums[ordinal] / counts[ordinal] * count,
              mins[ordinal],
              maxs[ordinal],
              count,
              children.results(ordinal)));
    }
    List<ClusterPartial.Cluster> few = ClusterPartial.joined(clusters, request.shardSize());
    return new ClusterPartial(request, few, field.shown());
  }

  private int ordinal(long bucket, double number) {
    int parent = Math.toIntExact(bucket);
    if (parent >= widths.length) {
      int old = widths.length;
      int larger = ArrayUtil.oversize(parent + 1, Double.BYTES);
      children.memory().grow(old, larger, PARENT_BYTES);
      widths = ArrayUtil.growExact(widths, larger);
      distinct = ArrayUtil.growExact(distinct, widths.length);
      leasts = ArrayUtil.growExact(leasts, widths.length);
      mosts = ArrayUtil.growExact(mosts, widths.length);
      Arrays.fill(leasts, old, leasts.length, Double.POSITIVE_INFINITY);
      Arrays.fill(mosts, old, mosts.length, Double.NEGATIVE_INFINITY);
    }
    leasts[parent] = Math.min(leasts[parent], number);
    mosts[parent] = Math.max(mosts[parent], number);
    double width = widths[parent];
    double cell = width == 0 ? number : Math.floor(number / width) * width;
    int known = ordinals.size();
    int ordinal = ordinals.add(bucket, Double.doubleToLongBits(cell + 0.0));
    if (ordinal == known) {
      room(ordinal);
      mins[ordinal] = number;
      maxs[ordinal] = number;
      int most = (int) Math.min(Integer.MAX_VALUE, (long) SLACK * request.shardSize());
      if (++distinct[parent] > most) {
        widths[parent] = Math.max(2 * width, (mosts[parent] - leasts[parent]) / most);
        distinct[parent] = 0;
      }
    }
    return ordinal;
  }

  private void room(int ordinal) {
    if (ordinal >= counts.length) {
      int larger = ArrayUtil.oversize(ordinal + 1, Double.BYTES);
      children.memory().grow(counts.length, larger, CLUSTER_BYTES);
      counts = ArrayUtil.growExact(counts, larger);
      sums = ArrayUtil.growExact(sums, counts.length);
      mins = ArrayUtil.growExact(mins, counts.length);
      maxs = ArrayUtil.growExact(maxs, counts.length);
    }
  }

  private final class Values implements Leaf {
    private final LongColumn column;
    private final @Nullable Leaf below;
    private double[] numbers = new double[BLOCK];
    private int[] childDocs = new int[BLOCK];
    private long[] childBuckets = new long[BLOCK];

    Values(LongColumn column, @Nullable Leaf below) {
      this.column = column;
      this.below = below;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      column.read(docs, from, to);
      room();
      for (int i = 0; i < column.count; i++) {
        add(i, docs[from + origin(i)], bucket);
      }
      BucketFeed.feed(below, childDocs, childBuckets, column.count);
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      column.readPairs(docs, count);
      room();
      for (int i = 0; i < column.count; i++) {
        add(i, docs[origin(i)], buckets[origin(i)]);
      }
      BucketFeed.feed(below, childDocs, childBuckets, column.count);
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      if (below != null) {
        below.setScorer(scorer);
      }
    }

    private int origin(int i) {
      return column.origin(i);
    }

    private void add(int i, int doc, long bucket) {
      double number = numbers[i];
      int ordinal = ordinal(bucket, number);
      counts[ordinal]++;
      sums[ordinal] += number;
      mins[ordinal] = Math.min(mins[ordinal], number);
      maxs[ordinal] = Math.max(maxs[ordinal], number);
      childDocs[i] = doc;
      childBuckets[i] = ordinal;
    }

    private void room() {
      if (numbers.length < column.count) {
        numbers = new double[column.values.length];
        childDocs = new int[column.values.length];
        childBuckets = new long[column.values.length];
      }
      field.toDoubles(column.values, column.count, numbers);
    }
  }
}
