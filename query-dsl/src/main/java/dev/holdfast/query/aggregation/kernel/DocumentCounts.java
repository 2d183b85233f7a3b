package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.document.MetadataFields;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.jspecify.annotations.Nullable;

/// How many more documents those of each bucket stand for than they are (`_doc_count`). Stands
/// beside sub-aggregations and is fed like them, so that kinds of bucket need not know of it while
/// they collect.
final class DocumentCounts {
  private final BucketCounts more;

  private DocumentCounts(Reservation memory) {
    this.more = new BucketCounts(memory);
  }

  /// @return null where every document of the shard stands for itself
  static @Nullable DocumentCounts of(IndexReader reader, Reservation memory) {
    for (LeafReaderContext segment : reader.leaves()) {
      if (isIn(segment)) {
        return new DocumentCounts(memory);
      }
    }
    return null;
  }

  private static boolean isIn(LeafReaderContext segment) {
    return segment.reader().getFieldInfos().fieldInfo(MetadataFields.DOC_COUNT) != null;
  }

  /// @return null where every document of the segment stands for itself
  Collecting.@Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    NumericDocValues counts =
        isIn(segment) ? segment.reader().getNumericDocValues(MetadataFields.DOC_COUNT) : null;
    return counts == null ? null : new Documents(counts);
  }

  /// What a bucket's documents stand for beyond themselves.
  long more(long bucket) {
    return more.of(bucket);
  }

  private final class Documents implements Collecting.Leaf {
    private final NumericDocValues counts;

    Documents(NumericDocValues counts) {
      this.counts = counts;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      for (int i = from; i < to; i++) {
        add(docs[i], bucket);
      }
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        add(docs[i], buckets[i]);
      }
    }

    private void add(int doc, long bucket) throws IOException {
      if (counts.advanceExact(doc)) {
        more.add(bucket, counts.longValue() - 1);
      }
    }
  }
}
