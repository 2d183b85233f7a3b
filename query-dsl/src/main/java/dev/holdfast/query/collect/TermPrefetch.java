package dev.holdfast.query.collect;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.TermQuery;

/// Starts to read what a query needs of its terms, in all segments and for all terms at once: over
/// blobs that are far away the reads then take the time of one (§3.2).
public final class TermPrefetch {
  /// Queries of more terms look each up when they get to it.
  static final int TERMS_MAX = 32;

  private final List<Term> terms = new ArrayList<>();
  private boolean isOther;

  private TermPrefetch(Query query) {
    query.visit(
        new QueryVisitor() {
          @Override
          public void consumeTerms(Query parent, Term... consumed) {
            terms.addAll(List.of(consumed));
          }

          @Override
          public void visitLeaf(Query leaf) {
            isOther |= !(leaf instanceof MatchAllDocsQuery);
          }

          @Override
          public QueryVisitor getSubVisitor(BooleanClause.Occur occur, Query parent) {
            return this; // terms that exclude are looked up too
          }
        });
  }

  /// Starts the look-ups of the query's terms, unless it is a lone term: [SharedTermStates] asks
  /// all segments for it at once.
  public static void lookUp(IndexSearcher searcher, Query query) throws IOException {
    if (query instanceof TermQuery) {
      return;
    }
    List<Term> terms = new TermPrefetch(query).terms;
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    if (terms.isEmpty() || terms.size() > TERMS_MAX || terms.size() * leaves.size() == 1) {
      return; // one look-up waits for itself only
    }
    for (Term term : terms) {
      for (LeafReaderContext leaf : leaves) {
        Terms inField = leaf.reader().terms(term.field());
        if (inField != null) {
          var _ = inField.iterator().prepareSeekExact(term.bytes());
        }
      }
    }
  }

  /// Whether the query's scorers are made of postings only: they cost little until they are read,
  /// and making them starts the read.
  static boolean isOnlyTerms(Query query) {
    TermPrefetch found = new TermPrefetch(query);
    return !found.isOther && !found.terms.isEmpty() && found.terms.size() <= TERMS_MAX;
  }
}
