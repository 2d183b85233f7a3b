package dev.holdfast.query.slice;

import java.io.IOException;
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
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/// Documents whose term in a field (their id) falls into one of several equal shares.
final class SliceByTerms extends Query {
  private static final int SEED = 7919;

  private final SliceShare share;

  SliceByTerms(SliceShare share) {
    this.share = share;
  }

  private boolean isMine(BytesRef term) {
    return Math.floorMod(StringHelper.murmurhash3_x86_32(term, SEED), share.max()) == share.id();
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        Terms terms = leaf.reader().terms(share.field());
        if (terms == null) {
          return null;
        }
        return ConstantScoreScorerSupplier.fromIterator(
            mine(terms, leaf.reader().maxDoc()), score(), mode, leaf.reader().maxDoc());
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return true;
      }
    };
  }

  private DocIdSetIterator mine(Terms terms, int maxDoc) throws IOException {
    DocIdSetBuilder documents = new DocIdSetBuilder(maxDoc);
    TermsEnum each = terms.iterator();
    PostingsEnum postings = null;
    for (BytesRef term = each.next(); term != null; term = each.next()) {
      if (isMine(term)) {
        postings = each.postings(postings, PostingsEnum.NONE);
        documents.add(postings);
      }
    }
    return documents.build().iterator();
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
    return other instanceof SliceByTerms slice && slice.share.equals(share);
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + share.hashCode();
  }
}
