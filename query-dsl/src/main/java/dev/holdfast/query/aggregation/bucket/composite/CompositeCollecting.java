package dev.holdfast.query.aggregation.bucket.composite;

import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// `composite` at work on one shard: keeps the first combinations past the `after` key. Sources are
/// read a block at a time, and those behind the first only of documents whose first key may be on
/// the page.
final class CompositeCollecting implements Collecting {
  /// Documents with their buckets are handed on when there are more.
  private static final int PAIRS_MAX = 16 * BLOCK;

  private final Composite request;
  private final List<DisplayFormat> shown;
  private final @Nullable List<@Nullable Object> after;
  private final Group children;
  private final CompositeColumn[] columns;
  private final int width;
  private final Map<Long, Page> pages = new HashMap<>();
  private long[] counts = new long[64];
  private int ordinals;
  private int segments;

  CompositeCollecting(
      Composite request,
      List<@Nullable BoundField> fields,
      List<DisplayFormat> shown,
      @Nullable List<@Nullable Object> after,
      Group children) {
    this.request = request;
    this.shown = shown;
    this.after = after;
    this.children = children;
    this.columns = new CompositeColumn[fields.size()];
    int words = 0;
    for (int i = 0; i < columns.length; i++) {
      CompositeSource source = request.sources().get(i);
      boolean hasNull = source.hasMissing() || (after != null && after.get(i) == null);
      columns[i] =
          CompositeColumn.of(source, fields.get(i), hasNull, columns.length, children.memory());
      words += columns[i].width();
    }
    this.width = words;
  }

  @Override
  public boolean needsScores() {
    return children.needsScores();
  }

  @Override
  public Leaf leaf(LeafReaderContext segment) throws IOException {
    segments++;
    for (CompositeColumn column : columns) {
      column.open(segment.reader());
    }
    return new Combining(children.leaf(segment));
  }

  @Override
  public Partial result(long bucket) throws IOException {
    List<CompositePartial.Combination> combinations = new ArrayList<>();
    Page page = pages.get(bucket);
    if (page != null) {
      for (int slot : page.queue.inOrder()) {
        int ordinal = page.ordinals[slot];
        combinations.add(
            new CompositePartial.Combination(
                page.queue.key(slot),
                children.count(ordinal, counts[ordinal]),
                children.results(ordinal)));
      }
    }
    return new CompositePartial(request, combinations, shown);
  }

  /// The page of a parent bucket, with words of the open segment.
  private Page page(long parent) throws IOException {
    Page page = pages.computeIfAbsent(parent, _ -> new Page());
    page.queue.move(segments);
    return page;
  }

  /// What sub-aggregations know each slot of a queue by.
  private final class Page implements CompositeQueue.Fresh {
    private final CompositeQueue queue =
        new CompositeQueue(columns, request.size(), after, children.memory());
    private int[] ordinals = new int[0];
    private int taken;

    @Override
    public void took(int slot) {
      if (slot < taken && children.isEmpty()) {
        counts[ordinals[slot]] = 0;
        return;
      }
      taken = Math.max(taken, slot + 1);
      ordinals = ArrayUtil.grow(ordinals, taken);
      ordinals[slot] = CompositeCollecting.this.ordinals++;
      counts = ArrayUtil.grow(counts, CompositeCollecting.this.ordinals);
    }
  }

  private final class Combining implements Leaf {
    private final @Nullable Leaf below;
    private final CompositeBlock[] blocks = new CompositeBlock[columns.length];
    private final long[] key = new long[width];
    private final int[] near = new int[BLOCK];
    private final int[] nearDocs = new int[BLOCK];
    private int[] childDocs = new int[BLOCK];
    private long[] childBuckets = new long[BLOCK];
    private int kept;

    Combining(@Nullable Leaf below) {
      this.below = below;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      Page page = page(bucket);
      blocks[0] = columns[0].read(docs, from, to);
      int count = narrow(page.queue, to - from);
      for (int i = 0; i < count; i++) {
        nearDocs[i] = docs[from + near[i]];
      }
      if (count == 0) {
        return;
      }
      for (int i = 1; i < columns.length; i++) {
        blocks[i] = columns[i].read(nearDocs, 0, count);
      }
      kept = 0;
      if (width == 1 && blocks[0].isAligned()) {
        addWords(page, blocks[0].words(), count);
      } else {
        for (int i = 0; i < count; i++) {
          combine(page, i, nearDocs[i], 0, 0);
          handOn();
        }
      }
      BucketFeed.feed(below, childDocs, childBuckets, kept);
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      for (int i = 0; i < columns.length; i++) {
        blocks[i] = columns[i].readPairs(docs, count);
      }
      kept = 0;
      for (int i = 0; i < count; i++) {
        combine(page(buckets[i]), i, docs[i], 0, 0);
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

    /// Leaves out documents whose first key is not on the page. Returns how many are left.
    private int narrow(CompositeQueue queue, int count) {
      CompositeBlock first = blocks[0];
      long min = queue.firstMin();
      long max = queue.firstMax();
      boolean isWhole = !first.isAligned() || (min == Long.MIN_VALUE && max == Long.MAX_VALUE);
      if (isWhole) {
        for (int i = 0; i < count; i++) {
          near[i] = i;
        }
        return count;
      }
      long[] words = first.words();
      int left = 0;
      for (int i = 0; i < count; i++) {
        near[left] = i;
        left += words[i] >= min && words[i] <= max ? 1 : 0;
      }
      if (left < count) {
        first.retain(near, left);
      }
      return left;
    }

    /// Adds documents of one key of one word each.
    private void addWords(Page page, long[] words, int count) throws IOException {
      int slot = CompositeQueue.REFUSED;
      for (int i = 0; i < count; i++) {
        if (i == 0 || words[i] != key[0]) {
          key[0] = words[i];
          slot = page.queue.slot(key, page);
        }
        if (slot != CompositeQueue.REFUSED) {
          keep(nearDocs[i], page.ordinals[slot]);
        }
      }
    }

    private void combine(Page page, int index, int doc, int column, int word) throws IOException {
      if (column == columns.length) {
        StopSignal.poll(); // the values of a document may be combined in very many ways
        int slot = page.queue.slot(key, page);
        if (slot != CompositeQueue.REFUSED) {
          keep(doc, page.ordinals[slot]);
        }
        return;
      }
      CompositeBlock block = blocks[column];
      int start = block.start(index);
      int count = block.end(index) - start;
      int next = word + columns[column].width();
      // The first first: those that follow may be off the page then, whatever is behind them.
      boolean isDescending = block.isDescending(index);
      for (int i = 0; i < count; i++) {
        block.copy(isDescending ? start + count - 1 - i : start + i, key, word);
        if (count == 1 || !page.queue.isOffPage(key, next)) {
          combine(page, index, doc, column + 1, next);
        }
      }
    }

    private void keep(int doc, int ordinal) {
      counts[ordinal]++;
      if (below != null) {
        if (kept == childDocs.length) {
          int larger = ArrayUtil.oversize(kept + 1, Long.BYTES);
          children.memory().grow(kept, larger, Integer.BYTES + Long.BYTES);
          childDocs = ArrayUtil.growExact(childDocs, larger);
          childBuckets = ArrayUtil.growExact(childBuckets, larger);
        }
        childDocs[kept] = doc;
        childBuckets[kept++] = ordinal;
      }
    }

    private void handOn() throws IOException {
      if (kept >= PAIRS_MAX) {
        BucketFeed.feed(below, childDocs, childBuckets, kept);
        kept = 0;
      }
    }
  }
}
