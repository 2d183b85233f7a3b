package dev.holdfast.query.aggregation.bucket.histogram;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.date.Rounding;
import dev.holdfast.document.date.Saturated;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// `auto_date_histogram` at work on one shard. Each parent bucket begins with the finest unit and
/// takes the next when it has too many buckets; buckets of finer units stay as they are and are
/// merged into coarser ones at the end.
final class AutoDateCollecting implements Collecting {
  private static final int UNIT_BITS = 3;
  private static final long SECOND = 1000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final AutoDateHistogram request;
  private final BoundField field;
  private final Group children;
  private final boolean isNanos;

  /// Whether values are numbers with fractions, of which the whole part counts.
  private final boolean isFraction;

  private final Rounding[] roundings;
  private final BucketOrdinals ordinals;
  private long[] counts = new long[16];
  private int[] units = new int[0];
  private int[] distinct = new int[0];

  /// The bucket that the last value fell into: times mostly come in order.
  private long lastBucket = -1;

  private long lastFrom;
  private long lastTo;
  private int lastOrdinal;

  AutoDateCollecting(AutoDateHistogram request, BoundField field, Group children) {
    this.request = request;
    this.field = field;
    this.children = children;
    this.ordinals = new BucketOrdinals(children.memory());
    this.isNanos = field.kind() == ValuesKind.DATE_NANOS;
    this.isFraction = field.kind().isFloating();
    this.roundings = new Rounding[AutoDateHistogram.UNITS.size()];
    for (int unit = 0; unit < roundings.length; unit++) {
      roundings[unit] = request.rounding(unit);
    }
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
    int unit = bucket < units.length ? units[(int) bucket] : request.finest();
    Map<Long, Bucket> merged = new TreeMap<>();
    for (int ordinal : ordinals.ordinals(bucket)) {
      long millis = roundings[unit].round(millis(ordinals.value(ordinal)));
      Bucket one =
          new Bucket(millis, children.count(ordinal, counts[ordinal]), children.results(ordinal));
      merged.merge(millis, one, Bucket::merge);
    }
    List<Bucket> buckets = new ArrayList<>(merged.values());
    return new AutoDatePartial(request, unit, 1, buckets, field.shown());
  }

  @Override
  public void describe(ObjectNode debug) {
    int surviving = 0;
    for (int parent = 0; parent < units.length; parent++) {
      Set<Long> merged = new HashSet<>();
      for (int ordinal : ordinals.ordinals(parent)) {
        merged.add(roundings[units[parent]].round(millis(ordinals.value(ordinal))));
      }
      surviving += merged.size();
    }
    debug.put("surviving_buckets", surviving);
  }

  private int ordinal(long bucket, long value) {
    long millis =
        isFraction
            ? (long) field.toDouble(value)
            : isNanos ? Math.floorDiv(value, NANOS_PER_MILLI) : value;
    if (bucket == lastBucket && millis >= lastFrom && millis < lastTo) {
      return lastOrdinal;
    }
    int parent = parent(bucket);
    int unit = units[parent];
    long key = roundings[unit].round(millis);
    int known = ordinals.size();
    int ordinal = ordinal(bucket, unit, key);
    if (ordinal == known && ++distinct[parent] > request.bucketsMax(unit)) {
      coarser(parent, unit + 1);
    }
    lastBucket = bucket;
    lastFrom = key;
    lastTo = roundings[unit].next(key);
    lastOrdinal = ordinal;
    return ordinal;
  }

  private int ordinal(long bucket, int unit, long key) {
    int ordinal = ordinals.add(bucket, Math.floorDiv(key, SECOND) << UNIT_BITS | unit);
    if (ordinal >= counts.length) {
      counts = ArrayUtil.grow(counts, ordinal + 1);
    }
    return ordinal;
  }

  /// Where a bucket begins: no unit is shorter than a second, so that what is left has room for the
  /// unit, whatever the year.
  private static long millis(long value) {
    return Saturated.times(value >> UNIT_BITS, SECOND);
  }

  private int parent(long bucket) {
    int parent = Math.toIntExact(bucket);
    if (parent >= units.length) {
      int old = units.length;
      int larger = ArrayUtil.oversize(parent + 1, Integer.BYTES);
      children.memory().grow(old, larger, 2 * Integer.BYTES);
      units = ArrayUtil.growExact(units, larger);
      Arrays.fill(units, old, units.length, request.finest());
      distinct = ArrayUtil.growExact(distinct, units.length);
    }
    return parent;
  }

  private void coarser(int parent, int unit) {
    units[parent] = unit;
    distinct[parent] = 0;
  }

  private final class Values implements Leaf {
    private final LeafReader reader;
    private final LongColumn column;
    private final @Nullable Leaf below;
    private int[] childDocs = new int[BLOCK];
    private long[] childBuckets = new long[BLOCK];
    private int kept;

    Values(LeafReader reader, LongColumn column, @Nullable Leaf below) {
      this.reader = reader;
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
      BucketFeed.feed(below, childDocs, childBuckets, kept);
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      column.readPairs(docs, count);
      room();
      for (int i = 0; i < column.count; i++) {
        add(i, docs[origin(i)], buckets[origin(i)]);
      }
      BucketFeed.feed(below, childDocs, childBuckets, kept);
    }

    @Override
    public boolean collectWhole(long bucket) throws IOException {
      PointValues points = below == null && isDate() ? field.countablePoints(reader) : null;
      return points != null
          && count(points, PointInterval.whole(field.field(), Long.BYTES), bucket) >= 0;
    }

    @Override
    public long collectMatching(Query query, long bucket) throws IOException {
      PointValues points = below == null && isDate() ? field.countablePoints(reader) : null;
      PointInterval asked = points == null ? null : field.asked(query, points);
      return points == null || asked == null ? -1 : count(points, asked, bucket);
    }

    /// Points of numbers may have fewer bytes, or other values.
    private boolean isDate() {
      return field.kind().isDate();
    }

    /// Counts points, by the unit that they all would need: the shard's unit is never finer.
    private long count(PointValues points, PointInterval asked, long bucket) throws IOException {
      PointInterval.Ends ends = asked.ends(points);
      if (ends == null) {
        return 0;
      }
      long perMilli = isNanos ? NANOS_PER_MILLI : 1;
      long first = Math.floorDiv(ends.least(), perMilli);
      long last = Math.floorDiv(ends.greatest(), perMilli);
      int parent = parent(bucket);
      int unit = request.fitting(units[parent], first, last);
      long[] keys = new long[16];
      int size = 0;
      for (long key = roundings[unit].round(first);
          key <= last && size <= Bins.BINS_MAX;
          key = roundings[unit].next(key)) {
        keys = ArrayUtil.grow(keys, size + 1);
        keys[size++] = key;
      }
      long[] bounds =
          Arrays.stream(keys, 0, size).map(key -> Saturated.times(key, perMilli)).toArray();
      boolean isOver = size > Bins.BINS_MAX || bounds[0] > ends.least();
      long[] row = isOver ? null : PointCounts.within(points, asked, bounds, size);
      if (row == null) {
        return -1;
      }
      if (unit > units[parent]) {
        coarser(parent, unit);
      }
      for (int bin = 0; bin < size; bin++) {
        if (row[bin] > 0) {
          counts[ordinal(bucket, unit, keys[bin])] += row[bin];
        }
      }
      return Arrays.stream(row).sum();
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

    /// A document counts once in a bucket, however many of its values fall into it.
    private void add(int i, int doc, long bucket) {
      int ordinal = ordinal(bucket, column.values[i]);
      if (i > 0 && origin(i) == origin(i - 1) && childBuckets[kept - 1] == ordinal) {
        return;
      }
      counts[ordinal]++;
      childDocs[kept] = doc;
      childBuckets[kept++] = ordinal;
    }

    private void room() {
      kept = 0;
      if (childDocs.length < column.count) {
        childDocs = new int[column.values.length];
        childBuckets = new long[column.values.length];
      }
    }
  }
}
