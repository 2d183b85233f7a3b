package dev.holdfast.query;

import java.util.List;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// A clause with a boost or a name.
///
/// @param name shown in `matched_queries`, null for none
public record BoostedClause(QueryClause clause, float boost, @Nullable String name)
    implements QueryClause {
  @Override
  public Query toLucene(QueryContext context) {
    Query query = clause.toLucene(context);
    return boost == 1 ? query : new BoostQuery(query, boost);
  }

  @Override
  public List<QueryClause> children() {
    return List.of(clause);
  }
}
