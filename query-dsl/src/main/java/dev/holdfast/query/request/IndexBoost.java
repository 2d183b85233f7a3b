package dev.holdfast.query.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How much the scores of some indices count (`indices_boost`).
///
/// @param indices a name, an alias or a pattern
public record IndexBoost(String indices, float boost) {
  /// `[{"index": 1.5}, …]`, or an object in its old form; the first that names an index counts.
  public static List<IndexBoost> parse(@Nullable JsonNode given) {
    List<IndexBoost> boosts = new ArrayList<>();
    if (given == null || given.isNull()) {
      return boosts;
    }
    for (JsonNode each : given.isArray() ? given : List.of(given)) {
      if (!each.isObject()) {
        throw new Refusal(
            ErrorType.PARSING,
            "Expected [START_OBJECT] in [indices_boost] but found [" + each + "]");
      }
      if (given.isArray() && each.size() != 1) {
        throw new Refusal(
            ErrorType.PARSING,
            "Expected one index in each object of [indices_boost] but found [" + each + "]");
      }
      for (Map.Entry<String, JsonNode> one : each.properties()) {
        if (!one.getValue().isNumber()) {
          throw new Refusal(
              ErrorType.PARSING,
              "Expected [VALUE_NUMBER] in [indices_boost] but found [" + one.getValue() + "]");
        }
        boosts.add(new IndexBoost(one.getKey(), one.getValue().floatValue()));
      }
    }
    return List.copyOf(boosts);
  }
}
