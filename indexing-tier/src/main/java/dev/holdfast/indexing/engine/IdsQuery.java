package dev.holdfast.indexing.engine;

import dev.holdfast.document.MetadataFields;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.ConstantScoreScorerSupplier;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.DocIdSetBuilder;
import org.jspecify.annotations.Nullable;

/// The documents of some ids, for deleting what a batch replaces. Each id is sought exactly, so
/// that the bloom filter answers for the many segments that lack it; Lucene's own query of a set of
/// terms seeks the next greater term, past the filter.
final class IdsQuery extends Query {
  private final List<BytesRef> ids;

  /// @param ids ascending
  IdsQuery(List<BytesRef> ids) {
    this.ids = ids;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
        DocIdSetIterator documents = documents(context);
        return documents == null
            ? null
            : ConstantScoreScorerSupplier.fromIterator(
                documents, score(), scoreMode, context.reader().maxDoc());
      }

      @Override
      public boolean isCacheable(LeafReaderContext context) {
        return false;
      }
    };
  }

  private @Nullable DocIdSetIterator documents(LeafReaderContext context) throws IOException {
    Terms terms = context.reader().terms(MetadataFields.ID);
    if (terms == null) {
      return null;
    }
    TermsEnum seeker = terms.iterator();
    PostingsEnum postings = null;
    DocIdSetBuilder found = null;
    for (BytesRef id : ids) {
      if (seeker.seekExact(id)) {
        postings = seeker.postings(postings, PostingsEnum.NONE);
        found = found == null ? new DocIdSetBuilder(context.reader().maxDoc()) : found;
        found.add(postings);
      }
    }
    return found == null ? null : found.build().iterator();
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "ids(" + ids.size() + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
