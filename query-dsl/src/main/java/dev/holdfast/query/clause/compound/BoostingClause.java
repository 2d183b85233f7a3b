package dev.holdfast.query.clause.compound;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.Query;

/// Documents of one query, scored lower when they match another.
public record BoostingClause(QueryClause positive, QueryClause negative, float negativeBoost)
    implements QueryClause {
  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options options = body.options();
    for (String required : List.of("positive", "negative")) {
      if (!options.json().has(required)) {
        throw QueryReader.parsing("[boosting] query requires '" + required + "' query to be set'");
      }
    }
    QueryClause positive = inner.read(options.take("positive"));
    QueryClause negative = inner.read(options.take("negative"));
    double boost = options.json().doubleValue("negative_boost", -1);
    if (boost < 0) {
      throw Refusal.badArgument(
          "[boosting] query requires 'negative_boost' to be set to be a positive value'");
    }
    return options.finish(new BoostingClause(positive, negative, (float) boost));
  }

  @Override
  public Query toLucene(QueryContext context) {
    return FunctionScoreQuery.boostByQuery(
        positive.toLucene(context), negative.toLucene(context), negativeBoost);
  }

  @Override
  public List<QueryClause> children() {
    return List.of(positive, negative);
  }
}
