package dev.holdfast.query.clause.specialized;

import java.io.IOException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// Runs the query of each candidate on documents in memory; its score there is the candidate's.
final class PercolateQuery extends Query {
  /// What running a query costs beside reading a posting.
  private static final float MATCH_COST = 10_000;

  private final PercolatedDocuments documents;

  PercolateQuery(PercolatedDocuments documents) {
    this.documents = documents;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    return new Weight(this) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        BinaryDocValues queries = leaf.reader().getBinaryDocValues(documents.field());
        if (queries == null) {
          return null;
        }
        Running running = new Running(queries, mode.needsScores(), boost);
        return new ScorerSupplier() {
          @Override
          public Scorer get(long leadCost) {
            return running;
          }

          @Override
          public long cost() {
            return queries.cost();
          }
        };
      }

      @Override
      public Explanation explain(LeafReaderContext leaf, int doc) throws IOException {
        BinaryDocValues queries = leaf.reader().getBinaryDocValues(documents.field());
        float score =
            queries == null || !queries.advanceExact(doc)
                ? -1
                : documents.score(queries.binaryValue());
        return score < 0
            ? Explanation.noMatch("PercolateQuery")
            : Explanation.match(score * boost, "PercolateQuery");
      }

      // What is in memory is of one request only.
      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false;
      }
    };
  }

  private final class Running extends Scorer {
    private final BinaryDocValues queries;
    private final TwoPhaseIterator phases;
    private final float boost;
    private float score;

    Running(BinaryDocValues queries, boolean needsScores, float boost) {
      this.queries = queries;
      this.boost = boost;
      this.phases =
          new TwoPhaseIterator(queries) {
            @Override
            public boolean matches() throws IOException {
              if (!needsScores) {
                return documents.finds(queries.binaryValue());
              }
              score = documents.score(queries.binaryValue());
              return score >= 0;
            }

            @Override
            public float matchCost() {
              return MATCH_COST;
            }
          };
    }

    @Override
    public int docID() {
      return queries.docID();
    }

    @Override
    public DocIdSetIterator iterator() {
      return TwoPhaseIterator.asDocIdSetIterator(phases);
    }

    @Override
    public TwoPhaseIterator twoPhaseIterator() {
      return phases;
    }

    @Override
    public float getMaxScore(int upTo) {
      return Float.POSITIVE_INFINITY;
    }

    @Override
    public float score() {
      return score * boost;
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String inField) {
    return "PercolateQuery{field=" + documents.field() + "}";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PercolateQuery that && documents.equals(that.documents);
  }

  @Override
  public int hashCode() {
    return documents.hashCode();
  }
}
