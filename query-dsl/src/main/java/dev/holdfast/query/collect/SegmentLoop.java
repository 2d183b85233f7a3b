package dev.holdfast.query.collect;

import dev.holdfast.query.QueryContext;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
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
public final class SegmentLoop {
  /// Documents scored between two looks at the clock.
  private static final int WINDOW_DOCS_MAX = 1 << 17;

  /// Documents in the first window: within a window where all match, a collector can't say that it
  /// has enough.
  private static final int WINDOW_DOCS_FIRST = 1 << 9;

  /// A window is that many times as long as the one before, or as short when that took too long.
  private static final int WINDOW_GROWTH = 4;

  /// A window that takes longer is followed by a shorter one: documents can be dear.
  private static final long WINDOW_NANOS_MAX = 50_000_000;

  private static final int WINDOW_DOCS_MIN = 16;

  /// Segments whose postings are being read while an earlier one is scored.
  private static final int AHEAD_MAX = 16;

  private final QueryContext context;
  private final BooleanSupplier isTimeOver;
  private boolean isTimedOut;

  public SegmentLoop(QueryContext context, BooleanSupplier isTimeOver) {
    this.context = context;
    this.isTimeOver = isTimeOver;
  }

  /// Whether some documents were left out because the time was over.
  public boolean isTimedOut() {
    return isTimedOut;
  }

  /// Ends early, with what the collector has by then, when the time is over.
  public void run(Weight weight, Collector collector) throws IOException {
    try {
      runSegments(weight, collector);
    } catch (StopSignal.TimeOver e) {
      isTimedOut = true; // between documents: while terms or points were read
    }
  }

  private void runSegments(Weight weight, Collector collector) throws IOException {
    collector.setWeight(weight);
    List<LeafReaderContext> leaves = context.searcher().getIndexReader().leaves();
    boolean isAhead = leaves.size() > 1 && TermPrefetch.isOnlyTerms(weight.getQuery());
    Deque<Optional<BulkScorer>> ahead = new ArrayDeque<>();
    for (int i = 0; i < leaves.size(); i++) {
      LeafReaderContext leaf = leaves.get(i);
      for (int at = i + ahead.size();
          isAhead && at < leaves.size() && ahead.size() < AHEAD_MAX;
          at++) {
        ahead.add(scorer(weight, leaves.get(at)));
      }
      Optional<BulkScorer> made = isAhead ? ahead.remove() : Optional.empty();
      if (mustStop()) {
        return;
      }
      LeafCollector into;
      try {
        into = collector.getLeafCollector(leaf);
      } catch (CollectionTerminatedException e) {
        continue; // nothing of interest in this segment
      }
      if (into instanceof WholeSegment whole && isTaken(whole, weight, leaf)) {
        into.finish();
        continue;
      }
      Optional<BulkScorer> scorer = isAhead ? made : scorer(weight, leaf);
      if (scorer.isPresent()) {
        score(scorer.get(), into, leaf);
      }
      into.finish();
    }
  }

  private static boolean isTaken(WholeSegment whole, Weight weight, LeafReaderContext leaf)
      throws IOException {
    return matchesAll(weight, leaf)
        ? whole.collectWhole()
        : leaf.reader().getLiveDocs() == null && whole.collectMatching(weight.getQuery()) >= 0;
  }

  private static boolean matchesAll(Weight weight, LeafReaderContext leaf) throws IOException {
    return weight.count(leaf) == leaf.reader().maxDoc();
  }

  private static Optional<BulkScorer> scorer(Weight weight, LeafReaderContext leaf)
      throws IOException {
    ScorerSupplier supplier = weight.scorerSupplier(leaf);
    if (supplier == null) {
      return Optional.empty();
    }
    supplier.setTopLevelScoringClause();
    return Optional.of(supplier.bulkScorer());
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
        long startNanos = StopSignal.nanoTime();
        next =
            scorer.score(into, live, next, window == end ? DocIdSetIterator.NO_MORE_DOCS : window);
        documents =
            StopSignal.nanoTime() - startNanos > WINDOW_NANOS_MAX
                ? Math.max(documents / WINDOW_GROWTH, WINDOW_DOCS_MIN)
                : Math.min(documents * WINDOW_GROWTH, WINDOW_DOCS_MAX);
      }
    } catch (StopSignal.TimeOver e) {
      isTimedOut = true; // within a document
    } catch (CollectionTerminatedException e) {
      return; // the collector has what it wants of this segment
    }
  }

  private boolean mustStop() {
    StopSignal.lookForCancelling();
    if (context.isCancelled().getAsBoolean() || Thread.currentThread().isInterrupted()) {
      throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
    }
    isTimedOut |= isTimeOver.getAsBoolean();
    return isTimedOut;
  }
}
