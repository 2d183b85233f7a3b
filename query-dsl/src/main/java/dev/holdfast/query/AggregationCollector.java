package dev.holdfast.query;

import dev.holdfast.query.aggregation.Collecting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;

/// Feeds aggregations in bulk: ranges as ranges, everything else in arrays of documents. Counts the
/// documents on the way.
final class AggregationCollector implements Collector {
  /// Documents handed over at once.
  private static final int BATCH_DOCS = 2048;

  private final List<Collecting> aggregations;
  private final boolean needsScores;
  private final int[] docs;
  private long count;

  AggregationCollector(List<Collecting> aggregations) {
    this.aggregations = aggregations;
    needsScores = aggregations.stream().anyMatch(Collecting::needsScores);
    // Whoever reads a score must be called while its document is the current one.
    docs = new int[needsScores ? 1 : BATCH_DOCS];
  }

  /// Documents collected.
  long count() {
    return count;
  }

  @Override
  public ScoreMode scoreMode() {
    return needsScores ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
  }

  @Override
  public LeafCollector getLeafCollector(LeafReaderContext segment) throws IOException {
    List<Collecting.Leaf> leaves = new ArrayList<>(aggregations.size());
    for (Collecting aggregation : aggregations) {
      Collecting.Leaf leaf = aggregation.leaf(segment);
      if (leaf != null) {
        leaves.add(leaf);
      }
    }
    return new Segment(leaves.toArray(Collecting.Leaf[]::new));
  }

  /// Collects one segment.
  private final class Segment implements LeafCollector {
    private final Collecting.Leaf[] leaves;
    private int pending;

    Segment(Collecting.Leaf[] leaves) {
      this.leaves = leaves;
    }

    @Override
    public void setScorer(Scorable scorer) {}

    @Override
    public void collect(int doc) throws IOException {
      docs[pending++] = doc;
      if (pending == docs.length) {
        flush();
      }
    }

    @Override
    public void collect(DocIdStream stream) throws IOException {
      flush();
      if (leaves.length == 0) {
        count += stream.count();
        return;
      }
      for (int got = stream.intoArray(docs); got > 0; got = stream.intoArray(docs)) {
        pending = got;
        flush();
      }
    }

    @Override
    public void collectRange(int min, int max) throws IOException {
      flush();
      count += max - min;
      for (Collecting.Leaf leaf : leaves) {
        leaf.collectRange(min, max, 0);
      }
    }

    @Override
    public void finish() throws IOException {
      flush();
    }

    private void flush() throws IOException {
      if (pending == 0) {
        return;
      }
      int n = pending;
      pending = 0;
      count += n;
      for (Collecting.Leaf leaf : leaves) {
        leaf.collect(docs, 0, n, 0);
      }
    }
  }
}
