package dev.holdfast.query.hits;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TopDocsCollector;

/// Collects the best hits and the aggregations in one pass over all documents.
final class HitsAndAggregationsCollector implements Collector {
  private final TopDocsCollector<?> hits;
  private final CountedAggregations aggregations;

  /// @param hits must want all documents: it may not prune
  HitsAndAggregationsCollector(TopDocsCollector<?> hits, CountedAggregations aggregations) {
    this.hits = hits;
    this.aggregations = aggregations;
  }

  @Override
  public ScoreMode scoreMode() {
    return hits.scoreMode().needsScores() || aggregations.scoreMode().needsScores()
        ? ScoreMode.COMPLETE
        : ScoreMode.COMPLETE_NO_SCORES;
  }

  @Override
  public LeafCollector getLeafCollector(LeafReaderContext segment) throws IOException {
    LeafCollector first = hits.getLeafCollector(segment);
    LeafCollector second = aggregations.getLeafCollector(segment);
    return new LeafCollector() {
      @Override
      public void setScorer(Scorable scorer) throws IOException {
        first.setScorer(scorer);
        second.setScorer(scorer);
      }

      @Override
      public void collect(int doc) throws IOException {
        first.collect(doc);
        second.collect(doc);
      }

      @Override
      public void finish() throws IOException {
        first.finish();
        second.finish();
      }
    };
  }
}
