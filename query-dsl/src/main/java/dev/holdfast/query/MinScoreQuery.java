package dev.holdfast.query;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// The documents of a query whose score is not below a number.
public final class MinScoreQuery extends Query {
  private final Query query;
  private final float minScore;

  public MinScoreQuery(Query query, float minScore) {
    this.query = query;
    this.minScore = minScore;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = query.rewrite(searcher);
    return rewritten.equals(query) ? this : new MinScoreQuery(rewritten, minScore);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
      throws IOException {
    Weight inner = query.createWeight(searcher, ScoreMode.COMPLETE, boost);
    return new FilterWeight(this, inner) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        ScorerSupplier supplier = inner.scorerSupplier(leaf);
        return supplier == null ? null : new Limited(supplier);
      }

      @Override
      public Explanation explain(LeafReaderContext leaf, int doc) throws IOException {
        Explanation explanation = inner.explain(leaf, doc);
        return !explanation.isMatch() || explanation.getValue().floatValue() >= minScore
            ? explanation
            : Explanation.noMatch(
                "Score value is too low, expected at least "
                    + minScore
                    + " but got "
                    + explanation.getValue(),
                explanation);
      }

      @Override
      public int count(LeafReaderContext leaf) {
        return -1;
      }
    };
  }

  private final class Limited extends ScorerSupplier {
    private final ScorerSupplier inner;

    Limited(ScorerSupplier inner) {
      this.inner = inner;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      Scorer scorer = inner.get(leadCost);
      TwoPhaseIterator phases = scorer.twoPhaseIterator();
      DocIdSetIterator all = phases == null ? scorer.iterator() : phases.approximation();
      TwoPhaseIterator limited =
          new TwoPhaseIterator(all) {
            @Override
            public boolean matches() throws IOException {
              return (phases == null || phases.matches()) && scorer.score() >= minScore;
            }

            @Override
            public float matchCost() {
              return phases == null ? 1000 : 1000 + phases.matchCost();
            }
          };
      return new Scorer() {
        @Override
        public int docID() {
          return all.docID();
        }

        @Override
        public float score() throws IOException {
          return scorer.score();
        }

        @Override
        public TwoPhaseIterator twoPhaseIterator() {
          return limited;
        }

        @Override
        public DocIdSetIterator iterator() {
          return TwoPhaseIterator.asDocIdSetIterator(limited);
        }

        @Override
        public float getMaxScore(int upTo) throws IOException {
          return scorer.getMaxScore(upTo);
        }
      };
    }

    @Override
    public long cost() {
      return inner.cost();
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    query.visit(visitor.getSubVisitor(BooleanClause.Occur.MUST, this));
  }

  @Override
  public String toString(String field) {
    return query.toString(field) + " with score >= " + minScore;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MinScoreQuery limited
        && limited.minScore == minScore
        && limited.query.equals(query);
  }

  @Override
  public int hashCode() {
    return Objects.hash(query, minScore);
  }
}
