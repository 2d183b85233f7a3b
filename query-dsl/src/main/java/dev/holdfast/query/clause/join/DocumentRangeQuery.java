package dev.holdfast.query.clause.join;

import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// Documents of a reader by number, from one to before another.
final class DocumentRangeQuery extends Query {
  private final int from;
  private final int to;

  DocumentRangeQuery(int from, int to) {
    this.from = from;
    this.to = to;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) {
        int first = Math.max(0, from - leaf.docBase);
        int end = Math.min(leaf.reader().maxDoc(), to - leaf.docBase);
        if (first >= end) {
          return null;
        }
        float score = score();
        return new ScorerSupplier() {
          @Override
          public Scorer get(long leadCost) {
            return new ConstantScoreScorer(score, mode, DocIdSetIterator.range(first, end));
          }

          @Override
          public long cost() {
            return (long) end - first;
          }
        };
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false;
      }
    };
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "documents " + from + " to " + to;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DocumentRangeQuery range && range.from == from && range.to == to;
  }

  @Override
  public int hashCode() {
    return 31 * from + to;
  }
}
