package dev.holdfast.query.aggregation;

import dev.holdfast.document.TermValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// `composite` at work on one shard: keeps the first combinations past the `after` key, and looks
/// at no other again.
final class CompositeCollecting implements Collecting {
  private static final int REFUSED = -1;

  /// How many terms of a segment are remembered by ordinal.
  private static final int TERMS_KNOWN_MAX = 65_536;

  private final Composite request;
  private final List<@Nullable BoundField> fields;
  private final List<Shown> shown;
  private final @Nullable List<@Nullable Object> after;
  private final Group children;
  private final Comparator<List<@Nullable Object>> order;
  private final Map<Long, TreeMap<List<@Nullable Object>, Integer>> byParent = new HashMap<>();
  private long[] counts = new long[64];
  private int ordinals;

  CompositeCollecting(
      Composite request,
      List<@Nullable BoundField> fields,
      List<Shown> shown,
      @Nullable List<@Nullable Object> after,
      Group children) {
    this.request = request;
    this.fields = fields;
    this.shown = shown;
    this.after = after;
    this.children = children;
    this.order = request.order();
  }

  @Override
  public boolean needsScores() {
    return children.needsScores();
  }

  @Override
  public Leaf leaf(LeafReaderContext segment) throws IOException {
    List<Keys> columns = new ArrayList<>(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      columns.add(keys(request.sources().get(i), fields.get(i), segment));
    }
    return new Combining(columns, children.leaf(segment));
  }

  @Override
  public Partial result(long bucket) throws IOException {
    List<CompositePartial.Combination> combinations = new ArrayList<>();
    TreeMap<List<@Nullable Object>, Integer> kept = byParent.get(bucket);
    if (kept != null) {
      for (Map.Entry<List<@Nullable Object>, Integer> each : kept.entrySet()) {
        int ordinal = each.getValue();
        combinations.add(
            new CompositePartial.Combination(
                each.getKey(), counts[ordinal], children.results(ordinal)));
      }
    }
    return new CompositePartial(request, combinations, shown);
  }

  /// The bucket of a combination; [#REFUSED] when it is not on the page.
  private int ordinal(long parent, List<@Nullable Object> key) {
    if (after != null && order.compare(key, after) <= 0) {
      return REFUSED;
    }
    TreeMap<List<@Nullable Object>, Integer> kept =
        byParent.computeIfAbsent(parent, none -> new TreeMap<>(order));
    boolean isFull = kept.size() >= request.size();
    if (isFull && order.compare(key, kept.lastKey()) > 0) {
      return REFUSED;
    }
    Integer known = kept.get(key);
    if (known != null) {
      return known;
    }
    if (isFull) {
      kept.pollLastEntry();
    }
    kept.put(new ArrayList<>(key), ordinals);
    if (ordinals == counts.length) {
      counts = ArrayUtil.grow(counts, ordinals + 1);
    }
    return ordinals++;
  }

  /// The keys that one source has in a document; empty when the document has none.
  @FunctionalInterface
  private interface Keys {
    void read(int doc, List<@Nullable Object> keys) throws IOException;
  }

  private static Keys keys(
      CompositeSource source, @Nullable BoundField bound, LeafReaderContext segment)
      throws IOException {
    if (bound == null) {
      return (_, keys) -> keys.add(null);
    }
    if (bound.kind().hasOrdinals()) {
      return terms(source.hasMissing(), TermValues.of(segment.reader(), bound.field()));
    }
    SortedNumericDocValues values = DocValues.getSortedNumeric(segment.reader(), bound.field());
    return (doc, keys) -> {
      if (values.advanceExact(doc)) {
        Object last = null;
        for (int i = 0; i < values.docValueCount(); i++) {
          Object key = source.key(bound, values.nextValue());
          // The tiles of points are in no order, all other keys are.
          boolean isKnown = source.tiles() == null ? Objects.equals(key, last) : keys.contains(key);
          if (key != null && !isKnown) {
            keys.add(key);
          }
          last = key;
        }
      } else if (source.hasMissing()) {
        keys.add(null);
      }
    };
  }

  private static Keys terms(boolean hasMissing, SortedSetDocValues values) {
    Map<Long, BytesRef> known = new HashMap<>();
    return (doc, keys) -> {
      if (values.advanceExact(doc)) {
        for (int i = 0; i < values.docValueCount(); i++) {
          long ordinal = values.nextOrd();
          BytesRef term = known.get(ordinal);
          if (term == null) {
            term = BytesRef.deepCopyOf(values.lookupOrd(ordinal));
            if (known.size() == TERMS_KNOWN_MAX) {
              known.clear();
            }
            known.put(ordinal, term);
          }
          keys.add(term);
        }
      } else if (hasMissing) {
        keys.add(null);
      }
    };
  }

  private final class Combining implements Leaf {
    private final List<Keys> columns;
    private final @Nullable Leaf below;
    private final List<List<@Nullable Object>> read = new ArrayList<>();
    private final List<@Nullable Object> key = new ArrayList<>();
    private int[] childDocs = new int[BLOCK];
    private long[] childBuckets = new long[BLOCK];
    private int kept;
    private int lastDoc = -1;

    Combining(List<Keys> columns, @Nullable Leaf below) {
      this.columns = columns;
      this.below = below;
      for (int i = 0; i < columns.size(); i++) {
        read.add(new ArrayList<>());
        key.add(null);
      }
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      kept = 0;
      for (int i = from; i < to; i++) {
        add(docs[i], bucket);
      }
      Feeding.feed(below, childDocs, childBuckets, kept);
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      kept = 0;
      for (int i = 0; i < count; i++) {
        add(docs[i], buckets[i]);
      }
      Feeding.feed(below, childDocs, childBuckets, kept);
    }

    @Override
    public void setScorer(org.apache.lucene.search.Scorable scorer) throws IOException {
      if (below != null) {
        below.setScorer(scorer);
      }
    }

    private void add(int doc, long bucket) throws IOException {
      if (doc != lastDoc) {
        for (int i = 0; i < columns.size(); i++) {
          read.get(i).clear();
          columns.get(i).read(doc, read.get(i));
        }
        lastDoc = doc;
      }
      combine(doc, bucket, 0);
    }

    private void combine(int doc, long bucket, int column) {
      if (column == columns.size()) {
        int ordinal = ordinal(bucket, key);
        if (ordinal != REFUSED) {
          keep(doc, ordinal);
        }
        return;
      }
      for (Object one : read.get(column)) {
        key.set(column, one);
        combine(doc, bucket, column + 1);
      }
    }

    private void keep(int doc, int ordinal) {
      counts[ordinal]++;
      if (below != null) {
        if (kept == childDocs.length) {
          childDocs = ArrayUtil.grow(childDocs, kept + 1);
          childBuckets = ArrayUtil.growExact(childBuckets, childDocs.length);
        }
        childDocs[kept] = doc;
        childBuckets[kept++] = ordinal;
      }
    }
  }
}
