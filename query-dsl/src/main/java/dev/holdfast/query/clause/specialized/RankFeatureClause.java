package dev.holdfast.query.clause.specialized;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Documents scored by a feature that was indexed for it.
///
/// @param function how the feature becomes a score
public record RankFeatureClause(String field, Function function) implements QueryClause {
  /// How a feature becomes a score.
  ///
  /// @param kind `log`, `saturation`, `sigmoid` or `linear`
  /// @param pivot null for one computed from the index
  record Function(String kind, float scalingFactor, @Nullable Float pivot, float exponent) {}

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String field = json.requiredText("field");
    Function function = null;
    for (String kind : new String[] {"log", "saturation", "sigmoid", "linear"}) {
      if (!json.has(kind)) {
        continue;
      }
      if (function != null) {
        throw Refusal.badArgument(
            "Can only specify one of [log], [saturation], [sigmoid] and [linear]");
      }
      JsonObject options = JsonObject.of(kind, json.take(kind));
      function =
          new Function(
              kind,
              kind.equals("log") ? (float) requiredNumber(options, "scaling_factor") : 0,
              kind.equals("sigmoid") || options.has("pivot")
                  ? (Float) (float) requiredNumber(options, "pivot")
                  : null,
              kind.equals("sigmoid") ? (float) requiredNumber(options, "exponent") : 0);
      options.done();
    }
    return of.finish(
        new RankFeatureClause(
            field, function == null ? new Function("saturation", 0, null, 0) : function));
  }

  private static double requiredNumber(JsonObject options, String name) {
    var _ = options.required(name);
    return options.doubleValue(name, 0);
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = context.type(field);
    if (type == null) {
      return FieldQueries.unmapped(field);
    }
    FieldType.Feature found = type.feature(context.path(field));
    if (found == null) {
      throw Refusal.badArgument(
          "[rank_feature] query only works on [rank_feature] fields and features of"
              + " [rank_features] fields, not ["
              + type.typeName()
              + "]");
    }
    String lucene = found.field();
    String feature = found.name();
    Float pivot = function.pivot;
    return switch (function.kind) {
      case "log" -> FeatureField.newLogQuery(lucene, feature, 1, function.scalingFactor);
      case "linear" -> FeatureField.newLinearQuery(lucene, feature, 1);
      case "sigmoid" ->
          FeatureField.newSigmoidQuery(
              lucene, feature, 1, pivot == null ? 1 : pivot, function.exponent);
      default ->
          pivot == null
              ? FeatureField.newSaturationQuery(lucene, feature)
              : FeatureField.newSaturationQuery(lucene, feature, 1, pivot);
    };
  }
}
