package dev.holdfast.query;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;

/// Scores the segments of a shard one after the other, in windows, so that a search that is
/// cancelled or out of time ends soon.
final class SegmentLoop {
  /// Documents scored between two looks at the clock.
  private static final int WINDOW_DOCS_MAX = 1 << 17;

  /// Documents in the first window: within a window where all match, a collector can't say that it
  /// has enough.
  private static final int WINDOW_DOCS_FIRST = 1 << 9;

  /// A window is that many times as long as the one before.
  private static final int WINDOW_GROWTH = 4;

  private final QueryContext context;
  private final BooleanSupplier isTimeOver;
  private boolean isTimedOut;

  SegmentLoop(QueryContext context, BooleanSupplier isTimeOver) {
    this.context = context;
    this.isTimeOver = isTimeOver;
  }

  /// Whether some documents were left out because the time was over.
  boolean isTimedOut() {
    return isTimedOut;
  }

  void run(Weight weight, Collector collector) throws IOException {
    collector.setWeight(weight);
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      if (mustStop()) {
        return;
      }
      LeafCollector into;
      try {
        into = collector.getLeafCollector(leaf);
      } catch (CollectionTerminatedException e) {
        continue; // nothing of interest in this segment
      }
      ScorerSupplier supplier = weight.scorerSupplier(leaf);
      if (supplier != null) {
        supplier.setTopLevelScoringClause();
        score(supplier.bulkScorer(), into, leaf);
      }
      into.finish();
    }
  }

  private void score(BulkScorer scorer, LeafCollector into, LeafReaderContext leaf)
      throws IOException {
    Bits live = leaf.reader().getLiveDocs();
    int end = leaf.reader().maxDoc();
    try {
      int next = 0;
      int documents = WINDOW_DOCS_FIRST;
      while (next < end && !mustStop()) {
        int window = (int) Math.min(end, (long) next + documents);
        documents = Math.min(documents * WINDOW_GROWTH, WINDOW_DOCS_MAX);
        next =
            scorer.score(into, live, next, window == end ? DocIdSetIterator.NO_MORE_DOCS : window);
      }
    } catch (CollectionTerminatedException e) {
      return; // the collector has what it wants of this segment
    }
  }

  private boolean mustStop() {
    if (context.isCancelled().getAsBoolean() || Thread.currentThread().isInterrupted()) {
      throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
    }
    isTimedOut |= isTimeOver.getAsBoolean();
    return isTimedOut;
  }
}
