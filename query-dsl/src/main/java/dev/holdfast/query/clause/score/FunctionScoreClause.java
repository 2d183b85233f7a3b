package dev.holdfast.query.clause.score;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.BoostedClause;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.MatchAllClause;
import dev.holdfast.query.MinScoreQuery;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Documents of a query whose scores are changed by functions.
public record FunctionScoreClause(
    QueryClause query,
    List<Weighted> functions,
    ScoreMode scoreMode,
    BoostMode boostMode,
    float boostMax,
    @Nullable Float minScore)
    implements QueryClause {

  /// How the numbers of several functions become one.
  enum ScoreMode {
    FIRST,
    AVG,
    MAX,
    SUM,
    MIN,
    MULTIPLY
  }

  /// How that number and the query's score become one.
  enum BoostMode {
    MULTIPLY,
    REPLACE,
    SUM,
    AVG,
    MIN,
    MAX;

    float combine(double score, double factor, double factorMax) {
      double number = Math.min(factor, factorMax);
      return (float)
          switch (this) {
            case MULTIPLY -> score * number;
            case REPLACE -> number;
            case SUM -> score + number;
            case AVG -> (score + number) / 2;
            case MIN -> Math.min(score, number);
            case MAX -> Math.max(score, number);
          };
    }
  }

  /// A function with the documents it is for.
  ///
  /// @param filter null for all
  /// @param function null for 1
  /// @param weight null when not given
  record Weighted(
      @Nullable QueryClause filter, @Nullable ScoreFunction function, @Nullable Float weight) {
    float weightOrOne() {
      return weight == null ? 1 : weight;
    }
  }

  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    JsonNode query = json.take("query");
    List<Weighted> functions = new ArrayList<>();
    JsonNode several = json.take("functions");
    if (several != null && !several.isArray()) {
      throw unsupported(several.isObject() ? "object" : "field", "functions");
    }
    JsonNode least = json.node().get("min_score");
    if (least != null && least.isContainerNode()) {
      throw unsupported(least.isArray() ? "array" : "object", "min_score");
    }
    Weighted single = weighted(json, inner, false);
    if (several != null) {
      if (single != null) {
        throw QueryReader.parsing(
            "failed to parse [function_score] query. already found [functions] array, now"
                + " encountering a function outside of it");
      }
      for (JsonNode one : several) {
        JsonObject function = JsonObject.of("function_score", one);
        Weighted read = weighted(function, inner, true);
        if (read == null || !function.rest().isEmpty()) {
          throw QueryReader.parsing(
              read == null
                  ? "failed to parse [function_score] query. an entry in functions list is missing"
                      + " a function."
                  : "failed to parse [function_score] query. field ["
                      + function.rest().getFirst()
                      + "] is not supported");
        }
        functions.add(read);
      }
    } else if (single != null) {
      functions.add(single);
    }
    JsonNode minScore = json.take("min_score");
    double scoreMin = json.doubleValue("min_score", 0);
    // As in Elasticsearch the boost is the inner query's, so that it is lost where that is
    // replaced.
    double boost = json.doubleValue("boost", 1);
    if (boost < 0) {
      throw Refusal.badArgument("negative [boost] are not allowed in [" + json.node() + "]");
    }
    QueryClause scored = query == null ? new MatchAllClause() : inner.read(query);
    return of.finishBoosted(
        new FunctionScoreClause(
            boost == 1 ? scored : new BoostedClause(scored, (float) boost, null),
            List.copyOf(functions),
            mode(
                choice(ScoreMode.values(), json.string("score_mode", "multiply"), "score_mode"),
                functions),
            choice(BoostMode.values(), json.string("boost_mode", "multiply"), "boost_mode"),
            (float) json.doubleValue("max_boost", Float.MAX_VALUE),
            minScore == null || minScore.isNull() ? null : (Float) (float) scoreMin));
  }

  private static Refusal unsupported(String what, String name) {
    return QueryReader.parsing(
        "failed to parse [function_score] query. " + what + " [" + name + "] is not supported");
  }

  /// The mean of one function for all documents is not its own: its weight counts.
  private static ScoreMode mode(ScoreMode given, List<Weighted> functions) {
    boolean isForAll =
        functions.size() == 1
            && (functions.getFirst().filter() == null
                || functions.getFirst().filter() instanceof MatchAllClause);
    return isForAll && given == ScoreMode.AVG ? ScoreMode.SUM : given;
  }

  private static <E extends Enum<E>> E choice(E[] values, String name, String option) {
    for (E value : values) {
      if (value.name().equals(name.toUpperCase(Locale.ROOT))) {
        return value;
      }
    }
    throw Refusal.badArgument("illegal " + option + " [" + name + "]");
  }

  /// Reads one function; null when there is none.
  private static @Nullable Weighted weighted(
      JsonObject json, QueryReader inner, boolean withFilter) {
    ScoreFunction function = null;
    for (String kind : ScoreFunctions.ALL.names()) {
      JsonNode given = json.take(kind);
      ScoreFunction.Parser parser = ScoreFunctions.ALL.get(kind);
      if (given == null || parser == null) {
        continue;
      }
      if (function != null) {
        throw QueryReader.parsing(
            "failed to parse [function_score] query. already found function, now encountering ["
                + kind
                + "]. use [functions] array if you want to define several functions.");
      }
      function = parser.parse(given);
    }
    JsonNode filter = withFilter ? json.take("filter") : null;
    JsonNode weight = json.orNull("weight");
    if (function == null && weight == null) {
      return null;
    }
    float given = weight == null ? 1 : (float) json.doubleValue("weight", 1);
    if (given < 0) {
      throw Refusal.badArgument("[weight] cannot be negative for a filtering function");
    }
    return new Weighted(
        filter == null ? null : inner.read(filter), function, weight == null ? null : given);
  }

  @Override
  public Query toLucene(QueryContext context) {
    Query inner = query.toLucene(context);
    Query scored =
        functions.isEmpty()
            ? inner
            : new FunctionScoreQuery(inner, FunctionScores.of(this, context));
    return minScore == null ? scored : new MinScoreQuery(scored, minScore);
  }

  @Override
  public List<QueryClause> children() {
    List<QueryClause> children = new ArrayList<>();
    children.add(query);
    for (Weighted function : functions) {
      if (function.filter != null) {
        children.add(function.filter);
      }
    }
    return children;
  }
}
