package dev.holdfast.query.aggregation.bucket.terms;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.BucketOrdinals;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// `terms` of a numeric field at work on one shard. Values of a narrow span are counted in an array
/// for the first parent bucket; all others by hash.
final class NumericTerms implements Collecting {
  private static final long DENSE_MAX = 65_536;

  private final Terms request;
  private final BoundField field;
  private final QueryContext context;
  private final Group children;
  private final TermFilter.@Nullable Values accepted;
  private final BucketOrdinals ordinals;
  private final long denseMin;
  private final int denseSize;
  private long[] counts;
  private long[] buckets = new long[BLOCK];
  private int[] childDocs = new int[BLOCK];

  NumericTerms(Terms request, BoundField field, QueryContext context, Group children)
      throws IOException {
    this.request = request;
    this.field = field;
    this.context = context;
    this.children = children;
    this.ordinals = new BucketOrdinals(children.memory());
    this.accepted = request.filter().values(field, request.name(), context.nowMillis());
    BoundField.Span span = field.span(context.searcher().getIndexReader());
    boolean isDense =
        span != null
            && !span.isEmpty()
            && span.max() - span.min() >= 0
            && span.max() - span.min() < DENSE_MAX;
    this.denseMin = isDense && span != null ? span.min() : 0;
    this.denseSize = isDense && span != null ? (int) (span.max() - span.min() + 1) : 0;
    children.memory().add((long) denseSize * Long.BYTES);
    this.counts = new long[Math.max(1, denseSize)];
  }

  @Override
  public boolean needsScores() {
    return children.needsScores();
  }

  @Override
  public String profiledAs() {
    return "NumericTermsAggregator";
  }

  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    LongColumn column = LongColumn.open(segment.reader(), field);
    return column == null ? null : new Values(column, children.leaf(segment));
  }

  @Override
  public Partial result(long bucket) throws IOException {
    TopBuckets top = new TopBuckets(request, children);
    Set<Long> seen = request.minDocCount() == 0 ? new HashSet<>() : null;
    for (int i = 0; bucket == 0 && i < denseSize; i++) {
      if (counts[i] > 0) {
        offer(top, i, denseMin + i, seen);
      }
    }
    for (int ordinal : ordinals.ordinals(bucket)) {
      offer(top, denseSize + ordinal, ordinals.value(ordinal), seen);
    }
    if (seen != null) {
      offerUnseen(top, seen);
    }
    return top.finish(type(), field.shown());
  }

  private void offer(TopBuckets top, int ordinal, long value, @Nullable Set<Long> seen)
      throws IOException {
    if (accepted != null && !accepted.accepts(value)) {
      return;
    }
    if (seen != null) {
      seen.add(value);
    }
    top.offer(ordinal, key(value), children.count(ordinal, counts[ordinal]));
  }

  /// `min_doc_count: 0` asks for values of documents that did not match, too.
  private void offerUnseen(TopBuckets top, Set<Long> seen) throws IOException {
    long missing = field.missingValue();
    boolean isWanted = field.hasMissing() && (accepted == null || accepted.accepts(missing));
    if (isWanted && seen.add(missing)) {
      top.offer(Integer.MAX_VALUE, key(missing), 0);
    }
    for (LeafReaderContext segment : context.searcher().getIndexReader().leaves()) {
      SortedNumericDocValues values = DocValues.getSortedNumeric(segment.reader(), field.field());
      while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        StopSignal.pollForCancelling();
        for (int i = 0; i < values.docValueCount(); i++) {
          long value = values.nextValue();
          if ((accepted == null || accepted.accepts(value)) && seen.add(value)) {
            top.offer(Integer.MAX_VALUE, key(value), 0);
          }
        }
      }
    }
  }

  private Object key(long value) {
    if (field.kind().isFloating()) {
      return field.toDouble(value);
    }
    return value;
  }

  private String type() {
    return field.kind().isFloating()
        ? TermsPartial.DOUBLES
        : field.kind() == ValuesKind.UNSIGNED_LONG ? TermsPartial.UNSIGNED : TermsPartial.LONGS;
  }

  private long ordinal(long parent, long value) {
    if (parent == 0 && denseSize > 0) {
      return value - denseMin;
    }
    int ordinal = denseSize + ordinals.add(parent, value);
    if (ordinal >= counts.length) {
      counts = ArrayUtil.grow(counts, ordinal + 1);
    }
    return ordinal;
  }

  private final class Values implements Leaf {
    private final LongColumn column;
    private final @Nullable Leaf below;

    Values(LongColumn column, @Nullable Leaf below) {
      this.column = column;
      this.below = below;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      column.read(docs, from, to);
      room();
      if (bucket == 0 && denseSize > 0) {
        for (int i = 0; i < column.count; i++) {
          buckets[i] = column.values[i] - denseMin;
        }
      } else {
        for (int i = 0; i < column.count; i++) {
          buckets[i] = ordinal(bucket, column.values[i]);
        }
      }
      count(docs, from);
    }

    @Override
    public void collect(int[] docs, long[] parents, int count) throws IOException {
      column.readPairs(docs, count);
      room();
      for (int i = 0; i < column.count; i++) {
        buckets[i] = ordinal(parents[column.origin(i)], column.values[i]);
      }
      count(docs, 0);
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      if (below != null) {
        below.setScorer(scorer);
      }
    }

    private void count(int[] docs, int from) throws IOException {
      long[] into = counts;
      long[] chosen = buckets;
      if (column.isAligned) {
        for (int i = 0; i < column.count; i++) {
          into[(int) chosen[i]]++;
        }
        if (below != null && column.count > 0) {
          System.arraycopy(docs, from, childDocs, 0, column.count);
          below.collect(childDocs, chosen, column.count);
        }
        return;
      }
      int kept = 0;
      for (int i = 0; i < column.count; i++) {
        if (i > 0
            && column.origins[i] == column.origins[i - 1]
            && column.values[i] == column.values[i - 1]) {
          continue;
        }
        into[(int) chosen[i]]++;
        childDocs[kept] = docs[from + column.origins[i]];
        chosen[kept++] = chosen[i];
      }
      BucketFeed.feed(below, childDocs, chosen, kept);
    }

    private void room() {
      if (buckets.length < column.values.length) {
        buckets = new long[column.values.length];
        childDocs = new int[column.values.length];
      }
    }
  }
}
