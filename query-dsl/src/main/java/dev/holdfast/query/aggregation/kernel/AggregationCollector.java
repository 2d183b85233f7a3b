package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.query.collect.WholeSegment;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;

/// The aggregations of one request at work on one shard, as a Lucene collector that takes documents
/// in bulk wherever Lucene offers them so. For one thread.
public final class AggregationCollector implements Collector {
  private final Group group;
  private final BooleanSupplier isCancelled;
  private final ScoreMode scoreMode;

  AggregationCollector(Group group, BooleanSupplier isCancelled, ScoreMode scoreMode) {
    this.group = group;
    this.isCancelled = isCancelled;
    this.scoreMode = scoreMode;
  }

  @Override
  public ScoreMode scoreMode() {
    return scoreMode;
  }

  @Override
  public WholeSegment getLeafCollector(LeafReaderContext segment) throws IOException {
    Collecting.Leaf leaf = group.leaf(segment);
    if (leaf == null) {
      throw new CollectionTerminatedException();
    }
    return new Documents(leaf, scoreMode.needsScores());
  }

  /// The partial results of the shard, after the search.
  public Results results() throws IOException {
    return group.results(0);
  }

  private final class Documents implements WholeSegment {
    private final Collecting.Leaf leaf;
    private final boolean needsScores;
    private final int[] docs = new int[Collecting.BLOCK];
    private final int[] more = new int[Collecting.BLOCK];
    private int pending;

    Documents(Collecting.Leaf leaf, boolean needsScores) {
      this.leaf = leaf;
      this.needsScores = needsScores;
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      leaf.setScorer(scorer);
    }

    @Override
    public void collect(int doc) throws IOException {
      docs[pending++] = doc;
      if (pending == docs.length || needsScores) {
        flush();
      }
    }

    @Override
    public void collect(DocIdStream stream) throws IOException {
      if (needsScores) {
        stream.forEach(this::collect);
        return;
      }
      for (int count = stream.intoArray(more); count > 0; count = stream.intoArray(more)) {
        int fitting = Math.min(count, docs.length - pending);
        System.arraycopy(more, 0, docs, pending, fitting);
        pending += fitting;
        if (pending == docs.length) {
          flush();
          pending = count - fitting;
          System.arraycopy(more, fitting, docs, 0, pending);
        }
      }
    }

    @Override
    public void collectRange(int min, int max) throws IOException {
      if (needsScores) {
        for (int doc = min; doc < max; doc++) {
          collect(doc);
        }
        return;
      }
      flush();
      leaf.collectRange(min, max, 0);
    }

    @Override
    public boolean collectWhole() throws IOException {
      return !needsScores && leaf.collectWhole(0);
    }

    @Override
    public long collectMatching(Query query) throws IOException {
      return needsScores ? -1 : leaf.collectMatching(query, 0);
    }

    @Override
    public void finish() throws IOException {
      flush();
    }

    private void flush() throws IOException {
      if (pending > 0) {
        if (isCancelled.getAsBoolean()) {
          throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
        }
        int count = pending;
        pending = 0;
        leaf.collect(docs, 0, count, 0);
      }
    }
  }
}
