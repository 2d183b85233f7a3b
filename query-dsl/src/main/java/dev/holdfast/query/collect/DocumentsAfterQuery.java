package dev.holdfast.query.collect;

import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorerSupplier;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// Documents that lie behind one in a reader: the next page where hits come in the order of the
/// index. It holds for one reader only and is never cached.
public final class DocumentsAfterQuery extends Query {
  private final int last;

  public DocumentsAfterQuery(int last) {
    this.last = last;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) {
        int maxDoc = leaf.reader().maxDoc();
        int first = Math.max(0, last + 1 - leaf.docBase);
        return first >= maxDoc
            ? null
            : ConstantScoreScorerSupplier.fromIterator(
                DocIdSetIterator.range(first, maxDoc), score(), mode, maxDoc);
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
    return "documents after " + last;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DocumentsAfterQuery after && after.last == last;
  }

  @Override
  public int hashCode() {
    return 41 * last;
  }
}
