package dev.holdfast.query.script;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.MinScoreQuery;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.world.JsonObject;
import java.util.List;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `script_score`: documents of a query whose scores a script makes.
public record ScriptScoreClause(QueryClause query, ScriptSource script, @Nullable Float minScore)
    implements QueryClause {

  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    JsonNode query = json.take("query");
    if (query == null) {
      throw QueryReader.parsing("[script_score] query requires a [query]");
    }
    JsonNode script = json.take("script");
    if (script == null) {
      throw QueryReader.parsing("[script_score] query requires a [script]");
    }
    JsonNode minScore = json.take("min_score");
    return of.finish(
        new ScriptScoreClause(
            inner.read(query),
            ScriptSource.parse(script),
            minScore == null || minScore.isNull() ? null : (Float) (float) minScore.asDouble()));
  }

  @Override
  public Query toLucene(QueryContext context) {
    context.beExpensive("[script score] queries", "");
    Query scored =
        new FunctionScoreQuery(query.toLucene(context), ScriptScores.of(script, context, false));
    return minScore == null ? scored : new MinScoreQuery(scored, minScore);
  }

  @Override
  public List<QueryClause> children() {
    return List.of(query);
  }
}
