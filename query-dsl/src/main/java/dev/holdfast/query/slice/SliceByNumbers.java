package dev.holdfast.query.slice;

import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.ConstantScoreScorerSupplier;
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

/// Documents whose smallest number in a field falls into one of several equal shares; those without
/// one are in the first.
final class SliceByNumbers extends Query {
  /// Spreads neighbours: 2 to the 64th by the golden ratio.
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final SliceShare share;

  SliceByNumbers(SliceShare share) {
    this.share = share;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), share.field());
        DocIdSetIterator all = DocIdSetIterator.all(leaf.reader().maxDoc());
        TwoPhaseIterator mine =
            new TwoPhaseIterator(all) {
              @Override
              public boolean matches() throws IOException {
                long value = values.advanceExact(all.docID()) ? values.nextValue() : 0;
                return isMine(value);
              }

              @Override
              public float matchCost() {
                return 10;
              }
            };
        return ConstantScoreScorerSupplier.fromIterator(
            TwoPhaseIterator.asDocIdSetIterator(mine), score(), mode, leaf.reader().maxDoc());
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return DocValues.isCacheable(leaf, share.field());
      }
    };
  }

  private boolean isMine(long number) {
    return (int) (((number * SPREAD) >>> 33) % share.max()) == share.id();
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String shown) {
    return share.toString();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SliceByNumbers slice && slice.share.equals(share);
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + share.hashCode();
  }
}
