package dev.holdfast.query.hits;

import dev.holdfast.query.request.SearchSource;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.FilterLeafCollector;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// Passes documents on until `terminate_after` of them have come, and none whose score is below
/// `min_score`. Without those limits it is not in the way.
public final class DocumentLimit implements Collector {
  private final @Nullable Float minScore;
  private final long documentsMax;
  private final Collector collector;
  private long documents;
  private boolean isReached;

  public DocumentLimit(SearchSource source, Collector collector) {
    minScore = source.minScore();
    documentsMax = source.terminateAfter() == 0 ? Long.MAX_VALUE : source.terminateAfter();
    this.collector = collector;
  }

  /// Whether documents were left out because enough had come.
  boolean isReached() {
    return isReached;
  }

  /// Documents passed on.
  long documents() {
    return documents;
  }

  private boolean isOff() {
    return minScore == null && documentsMax == Long.MAX_VALUE;
  }

  @Override
  public ScoreMode scoreMode() {
    if (isOff()) {
      return collector.scoreMode();
    }
    return minScore != null || collector.scoreMode().needsScores()
        ? ScoreMode.COMPLETE
        : ScoreMode.COMPLETE_NO_SCORES;
  }

  @Override
  public void setWeight(Weight weight) {
    if (isOff()) {
      collector.setWeight(weight);
    }
  }

  @Override
  public LeafCollector getLeafCollector(LeafReaderContext context) throws IOException {
    if (isReached) {
      throw new CollectionTerminatedException();
    }
    LeafCollector leaf = collector.getLeafCollector(context);
    return isOff() ? leaf : new Segment(leaf);
  }

  /// Limits one segment.
  private final class Segment extends FilterLeafCollector {
    private @Nullable Scorable scorer;

    Segment(LeafCollector in) {
      super(in);
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      this.scorer = scorer;
      super.setScorer(scorer);
    }

    @Override
    public void collect(int doc) throws IOException {
      Float min = minScore;
      if (min != null && scorer != null && scorer.score() < min) {
        return;
      }
      if (documents == documentsMax) {
        isReached = true;
        throw new CollectionTerminatedException();
      }
      documents++;
      in.collect(doc);
    }
  }
}
