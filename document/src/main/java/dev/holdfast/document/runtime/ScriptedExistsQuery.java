package dev.holdfast.document.runtime;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// Documents for which a script makes any value of a field. Which ones that are, only running it
/// says.
public final class ScriptedExistsQuery extends Query {
  private static final float COST = 1_000;

  private final String field;
  private final boolean hasOrdinals;

  /// @param hasOrdinals whether its values are terms
  public ScriptedExistsQuery(String field, boolean hasOrdinals) {
    this.field = field;
    this.hasOrdinals = hasOrdinals;
  }

  private interface Having {
    boolean has(int doc) throws IOException;
  }

  private Having in(LeafReaderContext leaf) throws IOException {
    if (hasOrdinals) {
      SortedSetDocValues terms = DocValues.getSortedSet(leaf.reader(), field);
      return terms::advanceExact;
    }
    SortedNumericDocValues numbers = DocValues.getSortedNumeric(leaf.reader(), field);
    return numbers::advanceExact;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        Having values = in(leaf);
        DocIdSetIterator all = DocIdSetIterator.all(leaf.reader().maxDoc());
        TwoPhaseIterator phases =
            new TwoPhaseIterator(all) {
              @Override
              public boolean matches() throws IOException {
                return values.has(all.docID());
              }

              @Override
              public float matchCost() {
                return COST;
              }
            };
        return new DefaultScorerSupplier(new ConstantScoreScorer(score(), mode, phases));
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false;
      }
    };
  }

  @Override
  public void visit(QueryVisitor visitor) {
    if (visitor.acceptField(field)) {
      visitor.visitLeaf(this);
    }
  }

  @Override
  public String toString(String shown) {
    return "ScriptedExistsQuery(" + field + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScriptedExistsQuery query
        && query.field.equals(field)
        && query.hasOrdinals == hasOrdinals;
  }

  @Override
  public int hashCode() {
    return Objects.hash(field, hasOrdinals);
  }
}
