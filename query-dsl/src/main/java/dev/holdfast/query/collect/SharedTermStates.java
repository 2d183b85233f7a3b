package dev.holdfast.query.collect;

import java.io.IOException;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/// A query that has its terms looked up, in all segments at once: counting and scoring both need
/// them, and would each find them anew.
public final class SharedTermStates {
  private SharedTermStates() {}

  /// The same query; terms that only filter are left as they are, for caches keep filters.
  public static Query of(IndexSearcher searcher, Query query) throws IOException {
    return switch (query) {
      case TermQuery term when term.getTermStates() == null -> known(searcher, term);
      case BooleanQuery group when group.clauses().size() <= TermPrefetch.TERMS_MAX ->
          known(searcher, group);
      default -> query;
    };
  }

  private static Query known(IndexSearcher searcher, TermQuery query) throws IOException {
    return new TermQuery(query.getTerm(), TermStates.build(searcher, query.getTerm(), true));
  }

  @SuppressWarnings("ReferenceEquality") // what is not replaced stays the same object
  private static Query known(IndexSearcher searcher, BooleanQuery query) throws IOException {
    BooleanQuery.Builder known = new BooleanQuery.Builder();
    known.setMinimumNumberShouldMatch(query.getMinimumNumberShouldMatch());
    boolean isOther = false;
    for (BooleanClause clause : query.clauses()) {
      Query inside = clause.isScoring() ? of(searcher, clause.query()) : clause.query();
      isOther |= inside != clause.query();
      known.add(inside, clause.occur());
    }
    return isOther ? known.build() : query;
  }
}
