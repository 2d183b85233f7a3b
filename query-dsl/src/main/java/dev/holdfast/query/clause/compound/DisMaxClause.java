package dev.holdfast.query.clause.compound;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import java.util.List;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;

/// Documents of any of the queries, scored by the best one.
///
/// @param tieBreaker share of the other scores that is added
public record DisMaxClause(List<QueryClause> queries, float tieBreaker) implements QueryClause {
  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options options = body.options();
    List<QueryClause> queries = inner.readAll(options.take("queries"));
    if (queries.isEmpty()) {
      throw QueryReader.parsing("[dis_max] requires 'queries' field with at least one clause");
    }
    float tieBreaker = (float) options.json().doubleValue("tie_breaker", 0);
    return options.finish(new DisMaxClause(queries, tieBreaker));
  }

  @Override
  public Query toLucene(QueryContext context) {
    return new DisjunctionMaxQuery(
        queries.stream().map(query -> query.toLucene(context)).toList(), tieBreaker);
  }

  @Override
  public List<QueryClause> children() {
    return queries;
  }
}
