package dev.holdfast.query.aggregation;

import dev.holdfast.query.QueryContext;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.FixedBitSet;

/// The documents of a query, as a filter over documents that come from elsewhere.
final class Selection {
  private final Weight weight;
  private final boolean isAll;

  Selection(Query query, QueryContext context) throws IOException {
    Query rewritten = context.searcher().rewrite(query);
    this.isAll = rewritten instanceof MatchAllDocsQuery;
    this.weight = context.searcher().createWeight(rewritten, ScoreMode.COMPLETE_NO_SCORES, 1);
  }

  /// Documents of one segment; deleted ones may be among them.
  interface Documents {
    /// Asked for documents in ascending order; one may be asked for again.
    boolean has(int doc) throws IOException;

    /// How many documents of the segment; -1 when that is as dear as asking each.
    int count() throws IOException;
  }

  Documents documents(LeafReaderContext segment) throws IOException {
    if (isAll) {
      return new Constant(true, segment);
    }
    ScorerSupplier supplier = weight.scorerSupplier(segment);
    if (supplier == null) {
      return new Constant(false, segment);
    }
    return new Scored(supplier, weight, segment);
  }

  private record Constant(boolean isIn, LeafReaderContext segment) implements Documents {
    @Override
    public boolean has(int doc) {
      return isIn;
    }

    @Override
    public int count() {
      return isIn ? segment.reader().maxDoc() : 0;
    }
  }

  /// A bit set once asked: sets are filled in bulk, and asking is one look-up.
  private static final class Scored implements Documents {
    private static final int WINDOW = 1 << 16;

    private final ScorerSupplier supplier;
    private final Weight weight;
    private final LeafReaderContext segment;
    private final FixedBitSet window = new FixedBitSet(WINDOW);
    private DocIdSetIterator iterator = DocIdSetIterator.empty();
    private boolean isOpen;
    private int start;
    private int end;

    Scored(ScorerSupplier supplier, Weight weight, LeafReaderContext segment) {
      this.supplier = supplier;
      this.weight = weight;
      this.segment = segment;
    }

    @Override
    public boolean has(int doc) throws IOException {
      if (doc >= end) {
        fill(doc);
      }
      return window.get(doc - start);
    }

    @Override
    public int count() throws IOException {
      return weight.count(segment);
    }

    private void fill(int doc) throws IOException {
      if (!isOpen) {
        Scorer scorer = supplier.get(segment.reader().maxDoc());
        iterator = scorer.iterator();
        isOpen = true;
      }
      window.clear();
      start = doc;
      end = doc + WINDOW;
      if (iterator.docID() < start) {
        iterator.advance(start);
      }
      if (iterator.docID() < end) {
        iterator.intoBitSet(end, window, start);
      }
    }
  }
}
