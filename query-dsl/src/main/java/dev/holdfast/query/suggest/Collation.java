package dev.holdfast.query.suggest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The `collate` of a phrase suggester: a query that a suggestion must find something with.
///
/// @param query its text, with places for the suggestion and for parameters; null for none
/// @param prunes whether suggestions that find nothing are shown, and told
record Collation(@Nullable String query, Map<String, String> params, boolean prunes) {
  private static final Collation NONE = new Collation(null, Map.of(), false);

  static Collation parse(@Nullable JsonNode given) {
    if (given == null) {
      return NONE;
    }
    if (!given.isObject()) {
      throw new Refusal(ErrorType.PARSING, "suggester[phrase] doesn't support field [collate]");
    }
    JsonObject json = JsonObject.ofValues("collate", given);
    JsonNode query = json.take("query");
    JsonNode params = json.take("params");
    boolean prunes = json.bool("prune", false);
    if (!json.rest().isEmpty()) {
      throw unsupported(json.rest().getFirst());
    }
    if (query != null && !query.isTextual() && !query.isObject()) {
      throw unsupported("query");
    }
    if (params != null && !params.isObject()) {
      throw unsupported("params");
    }
    return query == null ? NONE : new Collation(text(query), texts(params), prunes);
  }

  private static Refusal unsupported(String member) {
    return new Refusal(
        ErrorType.PARSING, "suggester[phrase][collate] doesn't support field [" + member + "]");
  }

  private static String text(JsonNode query) {
    JsonNode source = query.has("source") ? query.get("source") : query;
    return source.isTextual() ? source.asText() : source.toString();
  }

  private static Map<String, String> texts(@Nullable JsonNode params) {
    Map<String, String> texts = new TreeMap<>();
    if (params != null) {
      params.properties().forEach(one -> texts.put(one.getKey(), one.getValue().asText()));
    }
    return texts;
  }
}
