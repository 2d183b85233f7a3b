package dev.holdfast.query.aggregation.bucket.terms;

import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketCounts;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PlainFormat;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// `terms` on `_index`: every document of a shard is in the same bucket.
final class IndexTerms implements Collecting {
  private final Terms request;
  private final BytesRef index;
  private final Group children;
  private final BucketCounts counts;

  IndexTerms(Terms request, String index, Group children) {
    this.request = request;
    this.index = new BytesRef(index);
    this.children = children;
    this.counts = new BucketCounts(children.memory());
  }

  @Override
  public boolean needsScores() {
    return children.needsScores();
  }

  @Override
  public Leaf leaf(LeafReaderContext segment) throws IOException {
    Leaf below = children.leaf(segment);
    return new Leaf() {
      @Override
      public void collect(int[] docs, int from, int to, long bucket) throws IOException {
        counts.add(bucket, to - from);
        if (below != null) {
          below.collect(docs, from, to, bucket);
        }
      }

      @Override
      public void collect(int[] docs, long[] buckets, int count) throws IOException {
        for (int i = 0; i < count; i++) {
          counts.add(buckets[i], 1);
        }
        BucketFeed.feed(below, docs, buckets, count);
      }

      @Override
      public boolean collectWhole(long bucket) throws IOException {
        if (below != null && !below.collectWhole(bucket)) {
          return false;
        }
        counts.add(bucket, segment.reader().maxDoc());
        return true;
      }

      @Override
      public void collectRange(int min, int max, long bucket) throws IOException {
        counts.add(bucket, max - min);
        if (below != null) {
          below.collectRange(min, max, bucket);
        }
      }
    };
  }

  @Override
  public Partial result(long bucket) throws IOException {
    long count = children.count(bucket, counts.of(bucket));
    boolean isKept = count >= Math.max(1, request.minDocCount()) && accepts();
    List<Bucket> buckets =
        isKept ? List.of(new Bucket(index, count, children.results(bucket))) : List.of();
    return new TermsPartial(
        request, buckets, 0, 0, 1, TermsPartial.STRINGS, DisplayFormat.plain(PlainFormat.TERM));
  }

  private boolean accepts() {
    TermFilter.@Nullable Terms accepted =
        request.filter().terms(PlainFormat.TERM, children.memory());
    return accepted == null || accepted.accepts(index);
  }
}
