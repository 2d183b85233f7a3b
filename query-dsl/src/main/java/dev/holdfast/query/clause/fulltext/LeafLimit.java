package dev.holdfast.query.clause.fulltext;

import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/// Counts the different queries that a query string becomes, a word for each field that it may
/// mean. Lucene counts clauses when all are made: thousands of prefixes of a hundred fields fill
/// the heap before, because each is an automaton.
final class LeafLimit {
  private final Map<Query, Query> leaves = new HashMap<>();

  /// @return the same object for what is equal
  /// @throws IndexSearcher.TooManyNestedClauses when there are more than a query may have
  Query add(Query leaf) {
    if (leaf instanceof MatchNoDocsQuery) {
      return leaf;
    }
    Query known = leaves.putIfAbsent(leaf, leaf);
    if (leaves.size() > IndexSearcher.getMaxClauseCount()) {
      throw new IndexSearcher.TooManyNestedClauses();
    }
    return known == null ? leaf : known;
  }
}
