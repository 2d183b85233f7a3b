package dev.holdfast.query.request;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import java.util.List;
import java.util.SortedMap;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;

/// A query whose scores count differently in each index.
///
/// @param boosts by the name of the index; 1 for others
public record IndexBoostClause(QueryClause clause, SortedMap<String, Float> boosts)
    implements QueryClause {
  @Override
  public Query toLucene(QueryContext context) {
    Query query = clause.toLucene(context);
    float boost = boosts.getOrDefault(context.index(), 1f);
    return boost == 1 ? query : new BoostQuery(query, boost);
  }

  @Override
  public List<QueryClause> children() {
    return List.of(clause);
  }
}
