package dev.holdfast.query.clause.score;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.script.ScriptScores;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.world.JsonObject;
import org.apache.lucene.search.DoubleValues;

/// A number that a script makes of the document and its score.
record ScriptFunction(ScriptSource script) implements ScoreFunction {
  static ScoreFunction parse(JsonNode body) {
    JsonObject json = JsonObject.of("script_score", body);
    JsonNode script = json.take("script");
    if (script == null) {
      throw QueryReader.parsing("[script_score] requires 'script' field");
    }
    json.done();
    return new ScriptFunction(ScriptSource.parse(script));
  }

  @Override
  public boolean needsScores() {
    return script.text().contains("_score");
  }

  @Override
  public Bound bind(QueryContext context) {
    return withScores(context);
  }

  private ScoredBound withScores(QueryContext context) {
    ScriptScores scores = ScriptScores.of(script, context, true);
    return (leaf, given) -> {
      DoubleValues values = scores.getValues(leaf, needsScores() ? given : null);
      return doc -> {
        boolean _ = values.advanceExact(doc);
        return values.doubleValue();
      };
    };
  }
}
