package dev.holdfast.query.aggregation.bucket.join;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.bucket.filter.SelectedDocuments;
import dev.holdfast.query.aggregation.bucket.filter.Selection;
import dev.holdfast.query.aggregation.kernel.BucketCounts;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.BucketOrdinals;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.RelatedDocumentsCollecting;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;
import org.jspecify.annotations.Nullable;

/// One bucket of the documents that share an id with those that come, wherever in the shard they
/// lie: ids are noted while documents come, and the other side is collected once all have.
final class JoinCollecting implements Collecting {
  /// What an id takes beside its bytes, and what a bucket of it takes.
  private static final int ID_BYTES = 24;

  private static final int PAIR_BYTES = 40;

  private final QueryContext context;
  private final String ids;
  private final Selection from;
  private final Selection to;
  private final Group children;
  private final RelatedDocumentsCollecting.Finish finish;
  private final BytesRefHash seen = new BytesRefHash();
  private final BucketOrdinals bucketsOfIds;
  private final Reservation memory;
  private final BucketCounts counts;
  private boolean isFed;

  /// @param ids the field of ids, of both sides
  JoinCollecting(
      QueryContext context,
      String ids,
      Selection from,
      Selection to,
      Group children,
      RelatedDocumentsCollecting.Finish finish) {
    this(context, ids, from, to, children, finish, context.memory());
  }

  JoinCollecting(
      QueryContext context,
      String ids,
      Selection from,
      Selection to,
      Group children,
      RelatedDocumentsCollecting.Finish finish,
      Reservation memory) {
    this.memory = memory;
    this.bucketsOfIds = new BucketOrdinals(memory);
    this.counts = new BucketCounts(memory);
    this.context = context;
    this.ids = ids;
    this.from = from;
    this.to = to;
    this.children = children;
    this.finish = finish;
  }

  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    if (segment.reader().getFieldInfos().fieldInfo(ids) == null) {
      return null;
    }
    SortedSetDocValues values = DocValues.getSortedSet(segment.reader(), ids);
    SelectedDocuments selected = from.documents(segment);
    return new Leaf() {
      @Override
      public void collect(int[] docs, int from, int to, long bucket) throws IOException {
        for (int i = from; i < to; i++) {
          note(docs[i], bucket);
        }
      }

      @Override
      public void collect(int[] docs, long[] buckets, int count) throws IOException {
        for (int i = 0; i < count; i++) {
          note(docs[i], buckets[i]);
        }
      }

      private void note(int doc, long bucket) throws IOException {
        if (selected.has(doc) && values.advanceExact(doc)) {
          BytesRef bytes = values.lookupOrd(values.nextOrd());
          int id = seen.add(bytes);
          if (id >= 0) {
            memory.add(ID_BYTES + bytes.length);
          }
          int pairs = bucketsOfIds.size();
          if (bucketsOfIds.add(id < 0 ? -id - 1 : id, bucket) == pairs) {
            memory.add(PAIR_BYTES);
          }
        }
      }
    };
  }

  @Override
  public Partial result(long bucket) throws IOException {
    if (!isFed) {
      isFed = true;
      for (LeafReaderContext segment : context.searcher().getIndexReader().leaves()) {
        feed(segment);
      }
    }
    long count = counts.of(bucket);
    return finish.of(children.count(bucket, count), children.results(bucket));
  }

  /// Passes on the other side's documents of a segment, each to the buckets of its id.
  private void feed(LeafReaderContext segment) throws IOException {
    if (seen.size() == 0 || segment.reader().getFieldInfos().fieldInfo(ids) == null) {
      return;
    }
    SortedSetDocValues values = DocValues.getSortedSet(segment.reader(), ids);
    Bits live = segment.reader().getLiveDocs();
    Pairs pairs = new Pairs(children.leaf(segment));
    SelectedDocuments selected = to.documents(segment);
    for (int doc = values.nextDoc();
        doc != SortedSetDocValues.NO_MORE_DOCS;
        doc = values.nextDoc()) {
      StopSignal.pollForCancelling();
      if ((live == null || live.get(doc)) && selected.has(doc)) {
        int id = seen.find(values.lookupOrd(values.nextOrd()));
        if (id >= 0) {
          for (int ordinal : bucketsOfIds.ordinals(id)) {
            pairs.add(doc, bucketsOfIds.value(ordinal));
          }
        }
      }
    }
    pairs.flush();
  }

  /// Documents with their buckets on the way to the sub-aggregations.
  private final class Pairs {
    private final @Nullable Leaf below;
    private final int[] docs = new int[BLOCK];
    private final long[] buckets = new long[BLOCK];
    private int size;

    Pairs(@Nullable Leaf below) {
      this.below = below;
    }

    void add(int doc, long bucket) throws IOException {
      counts.add(bucket, 1);
      if (size == docs.length) {
        flush();
      }
      docs[size] = doc;
      buckets[size++] = bucket;
    }

    void flush() throws IOException {
      BucketFeed.feed(below, docs, buckets, size);
      size = 0;
    }
  }
}
