package dev.holdfast.query.clause.compound;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import java.util.List;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;

/// The documents of a query, all with the same score.
public record ConstantScoreClause(QueryClause filter) implements QueryClause {
  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options options = body.options();
    if (!options.json().has("filter")) {
      throw QueryReader.parsing("[constant_score] requires a 'filter' element");
    }
    return options.finish(new ConstantScoreClause(inner.read(options.take("filter"))));
  }

  @Override
  public Query toLucene(QueryContext context) {
    return new ConstantScoreQuery(filter.toLucene(context));
  }

  @Override
  public List<QueryClause> children() {
    return List.of(filter);
  }
}
