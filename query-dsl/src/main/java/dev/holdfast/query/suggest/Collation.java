package dev.holdfast.query.suggest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkMemory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The `collate` of a phrase suggester: a query that a suggestion must find something with.
///
/// @param query its text, with places for the suggestion and for parameters; null for none
/// @param prunes whether suggestions that find nothing are shown, and told
record Collation(@Nullable String query, Map<String, String> params, boolean prunes) {
  private static final Collation NONE = new Collation(null, Map.of(), false);

  /// A letter of a query, and its copy.
  private static final int LETTER_BYTES = 4;

  /// Shorter queries ask for no memory.
  private static final int SMALL_QUERY_LETTERS = 64 << 10;

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
    JsonNode prune = json.take("prune");
    if (prune != null && !List.of("true", "false").contains(prune.asText())) {
      throw new Refusal(
          ErrorType.PARSING, "suggester[phrase][collate] prune must be either 'true' or 'false'");
    }
    boolean prunes = prune != null && prune.asBoolean();
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

  /// A query's text with the suggestion and the parameters in their places.
  static String filled(String query, String suggestion, Map<String, String> params) {
    String filled = filled(query, "suggestion", suggestion);
    for (Map.Entry<String, String> param : params.entrySet()) {
      filled = filled(filled, param.getKey(), param.getValue());
    }
    return filled;
  }

  /// There may be many places of a name, and the value may be long.
  private static String filled(String query, String name, String value) {
    String place = "{{" + name + "}}";
    String text = Json.escaped(value);
    long length = query.length();
    for (int at = query.indexOf(place); at >= 0; at = query.indexOf(place, at + place.length())) {
      length += text.length();
    }
    if (length > SMALL_QUERY_LETTERS) {
      WorkMemory.add(LETTER_BYTES * length);
    }
    return query.replace(place, text);
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
