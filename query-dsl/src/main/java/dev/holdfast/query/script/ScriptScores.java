package dev.holdfast.query.script;

import dev.holdfast.query.QueryContext;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.context.ScoreScript;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/// Scores that a script makes, as Lucene asks for them.
public final class ScriptScores extends DoubleValuesSource {
  private final ScriptedShard<ScoreScript> shard;
  private final boolean isFunction;

  private ScriptScores(ScriptedShard<ScoreScript> shard, boolean isFunction) {
    this.shard = shard;
    this.isFunction = isFunction;
  }

  /// @param isFunction whether it is one of a `function_score`, which complains in other words
  public static ScriptScores of(ScriptSource script, QueryContext context, boolean isFunction) {
    return new ScriptScores(
        ScriptedShard.of(script, ScoreScript.SHAPE, ScoreScript.class, context), isFunction);
  }

  @Override
  public DoubleValues getValues(LeafReaderContext leaf, @Nullable DoubleValues scores) {
    ScoreScript script = shard.in(leaf);
    if (scores != null) {
      script.scoreBy(() -> (float) scores.doubleValue());
    }
    return new DoubleValues() {
      private int doc = -1;

      @Override
      public double doubleValue() {
        script.moveTo(doc);
        double score = script.execute();
        if (!(score >= 0)) {
          throw Refusal.badArgument(
              isFunction
                  ? "script score function must not produce negative scores, but got: ["
                      + (float) score
                      + "]"
                  : "script_score script returned an invalid score ["
                      + (float) score
                      + "] for doc ["
                      + doc
                      + "]. Must be a non-negative score!");
        }
        return score;
      }

      @Override
      public boolean advanceExact(int to) throws IOException {
        doc = to;
        return scores == null || scores.advanceExact(to);
      }
    };
  }

  @Override
  public boolean needsScores() {
    return shard.script().text().contains("_score");
  }

  @Override
  public Explanation explain(LeafReaderContext leaf, int doc, Explanation score)
      throws IOException {
    DoubleValues values =
        getValues(
            leaf,
            DoubleValuesSource.constant(score.getValue().doubleValue()).getValues(leaf, null));
    values.advanceExact(doc);
    return Explanation.match(
        values.doubleValue(),
        "script score function, computed with script:\"" + shard.script().text() + "\"",
        Explanation.match(score.getValue(), "_score: ", score));
  }

  @Override
  public DoubleValuesSource rewrite(IndexSearcher searcher) {
    return this;
  }

  @Override
  public boolean isCacheable(LeafReaderContext leaf) {
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScriptScores scores
        && scores.shard.script().equals(shard.script())
        && scores.shard.context().index().equals(shard.context().index());
  }

  @Override
  public int hashCode() {
    return shard.script().hashCode();
  }

  @Override
  public String toString() {
    return "script(" + shard.script().text() + ")";
  }
}
