package dev.holdfast.query.collect;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// Counts documents, exactly up to a number.
public final class HitCounter implements Collector {
  private final int upTo;
  private @Nullable Weight weight;
  private long count;
  private boolean isLowerBound;

  public HitCounter(int upTo) {
    this.upTo = upTo;
  }

  public long count() {
    return count;
  }

  /// Whether documents were left uncounted.
  public boolean isLowerBound() {
    return isLowerBound;
  }

  @Override
  public ScoreMode scoreMode() {
    return ScoreMode.COMPLETE_NO_SCORES;
  }

  @Override
  public void setWeight(Weight weight) {
    this.weight = weight;
  }

  @Override
  public LeafCollector getLeafCollector(LeafReaderContext segment) throws IOException {
    stopWhenEnough();
    int cheap = weight == null ? -1 : weight.count(segment);
    if (cheap >= 0) {
      count += cheap;
      throw new CollectionTerminatedException();
    }
    return new LeafCollector() {
      @Override
      public void setScorer(Scorable scorer) {}

      @Override
      public void collect(int doc) {
        count++;
        stopWhenEnough();
      }

      @Override
      public void collect(DocIdStream stream) throws IOException {
        count += stream.count();
        stopWhenEnough();
      }

      @Override
      public void collectRange(int min, int max) {
        count += max - min;
        stopWhenEnough();
      }
    };
  }

  /// One document more than asked for shows that there are more.
  private void stopWhenEnough() {
    if (count > upTo) {
      isLowerBound = true;
      throw new CollectionTerminatedException();
    }
  }
}
