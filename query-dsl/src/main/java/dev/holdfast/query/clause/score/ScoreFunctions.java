package dev.holdfast.query.clause.score;

import dev.holdfast.world.Registry;

/// Every function that `function_score` knows.
final class ScoreFunctions {
  /// Functions by name: one line a kind.
  static final Registry<ScoreFunction.Parser> ALL =
      Registry.<ScoreFunction.Parser>of("score function")
          .with("field_value_factor", FieldValueFactor::parse)
          .with("script_score", ScriptFunction::parse)
          .with("random_score", RandomScore::parse)
          .with("gauss", body -> DecayFunction.parse(DecayFunction.Curve.GAUSS, body))
          .with("exp", body -> DecayFunction.parse(DecayFunction.Curve.EXP, body))
          .with("linear", body -> DecayFunction.parse(DecayFunction.Curve.LINEAR, body));

  private ScoreFunctions() {}
}
