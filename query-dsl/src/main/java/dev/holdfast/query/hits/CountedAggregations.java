package dev.holdfast.query.hits;

import dev.holdfast.query.aggregation.kernel.AggregationCollector;
import dev.holdfast.query.collect.WholeSegment;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CheckedIntConsumer;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.jspecify.annotations.Nullable;

/// Aggregations, and the number of documents that went into them; bulk calls stay bulk calls.
public final class CountedAggregations implements Collector {
  private final AggregationCollector aggregations;
  private long count;

  public CountedAggregations(AggregationCollector aggregations) {
    this.aggregations = aggregations;
  }

  /// Documents collected.
  long count() {
    return count;
  }

  @Override
  public ScoreMode scoreMode() {
    return aggregations.scoreMode();
  }

  @Override
  public LeafCollector getLeafCollector(LeafReaderContext segment) throws IOException {
    try {
      return new Segment(aggregations.getLeafCollector(segment), segment.reader().maxDoc());
    } catch (CollectionTerminatedException e) {
      return new Segment(null, segment.reader().maxDoc()); // counted all the same
    }
  }

  /// Counts the documents of one segment.
  private final class Segment implements WholeSegment {
    private final @Nullable WholeSegment inner;
    private final int maxDoc;

    Segment(@Nullable WholeSegment inner, int maxDoc) {
      this.inner = inner;
      this.maxDoc = maxDoc;
    }

    @Override
    public boolean collectWhole() throws IOException {
      if (inner != null && !inner.collectWhole()) {
        return false;
      }
      count += maxDoc;
      return true;
    }

    @Override
    public long collectMatching(Query query) throws IOException {
      long collected = inner == null ? -1 : inner.collectMatching(query);
      count += Math.max(0, collected);
      return collected;
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      if (inner != null) {
        inner.setScorer(scorer);
      }
    }

    @Override
    public void collect(int doc) throws IOException {
      count++;
      if (inner != null) {
        inner.collect(doc);
      }
    }

    @Override
    public void collect(DocIdStream stream) throws IOException {
      if (inner == null) {
        count += stream.count();
      } else {
        inner.collect(new CountedStream(stream));
      }
    }

    @Override
    public void collectRange(int min, int max) throws IOException {
      count += max - min;
      if (inner != null) {
        inner.collectRange(min, max);
      }
    }

    @Override
    public void finish() throws IOException {
      if (inner != null) {
        inner.finish();
      }
    }
  }

  /// Counts what is taken out of a stream.
  private final class CountedStream extends DocIdStream {
    private final DocIdStream stream;

    CountedStream(DocIdStream stream) {
      this.stream = stream;
    }

    @Override
    public void forEach(int upTo, CheckedIntConsumer<IOException> consumer) throws IOException {
      stream.forEach(
          upTo,
          doc -> {
            count++;
            consumer.accept(doc);
          });
    }

    @Override
    public int count(int upTo) throws IOException {
      int counted = stream.count(upTo);
      count += counted;
      return counted;
    }

    @Override
    public int intoArray(int upTo, int[] array) {
      int taken = stream.intoArray(upTo, array);
      count += taken;
      return taken;
    }

    @Override
    public boolean mayHaveRemaining() {
      return stream.mayHaveRemaining();
    }
  }
}
