package dev.holdfast.query.clause.vector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;

/// Documents that share tokens with a sparse vector, scored by the sum of products of their
/// weights. No token is pruned.
public record SparseVectorClause(String field, Map<String, Float> weights) implements QueryClause {

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String field = json.requiredText("field");
    if (json.has("inference_id") || json.has("query")) {
      throw Refusal.badArgument(
          "[sparse_vector] with [inference_id] needs a model, which is not supported: send"
              + " [query_vector]");
    }
    JsonNode vector = json.required("query_vector");
    checkPruning(json);
    Map<String, Float> weights = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> token :
        JsonObject.of("query_vector", vector).node().properties()) {
      float weight = token.getValue().floatValue();
      if (!token.getValue().isNumber() || !(weight > 0) || Float.isInfinite(weight)) {
        throw Refusal.badArgument(
            "[query_vector] must hold positive numbers, but [" + token.getKey() + "] is not one");
      }
      weights.put(token.getKey(), weight);
    }
    return of.finish(new SparseVectorClause(field, weights));
  }

  /// Pruning is a hint: what it would leave out is searched all the same.
  private static void checkPruning(JsonObject json) {
    boolean prunes = json.bool("prune", false);
    JsonObject how = json.object("pruning_config");
    if (how == null) {
      return;
    }
    if (!prunes) {
      throw Refusal.badArgument("[pruning_config] needs [prune] to be [true]");
    }
    if (how.integer("tokens_freq_ratio_threshold", 5) < 1) {
      throw Refusal.badArgument("[tokens_freq_ratio_threshold] must be between 1 and 100");
    }
    double weight = how.doubleValue("tokens_weight_threshold", 0);
    if (weight < 0 || weight > 1) {
      throw Refusal.badArgument("[tokens_weight_threshold] must be between 0 and 1");
    }
    var _ = how.bool("only_score_pruned_tokens", false);
    how.done();
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = context.type(field);
    if (type == null) {
      return FieldQueries.unmapped(field);
    }
    if (!type.typeName().equals("sparse_vector")) {
      throw new Refusal(
          ErrorType.PARSING,
          "field ["
              + field
              + "] must be type [sparse_vector] but is type ["
              + type.typeName()
              + "]");
    }
    String path = context.path(field);
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    weights.forEach((token, weight) ->
        any.add(new BoostQuery(FeatureField.newLinearQuery(path, token, 1), weight), Occur.SHOULD));
    return any.build();
  }
}
