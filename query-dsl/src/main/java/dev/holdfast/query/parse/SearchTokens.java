package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;

/// Which kinds of JSON the members of a search may be: what is null, or a plain value in the place
/// of a list, is refused and never taken for nothing.
final class SearchTokens {
  private static final List<String> NO_VALUES =
      List.of("fields", "docvalue_fields", "indices_boost", "stats", "aggs", "aggregations");

  private static final List<String> LISTS_OF_TEXTS = List.of("_source", "stored_fields", "stats");

  private static final List<String> NO_OBJECTS =
      List.of("stats", "stored_fields", "indices_boost", "fields", "docvalue_fields");

  private static final List<String> ONLY_VALUES =
      List.of(
          "from",
          "size",
          "terminate_after",
          "min_score",
          "track_total_hits",
          "track_scores",
          "version",
          "explain",
          "seq_no_primary_term",
          "timeout",
          "profile");

  private SearchTokens() {}

  /// @throws Refusal `parsing_exception` for the first member that is of a wrong kind
  static void check(ObjectNode search) {
    for (Map.Entry<String, JsonNode> member : search.properties()) {
      String name = member.getKey();
      JsonNode value = member.getValue();
      if (value.isNull()) {
        throw wrong(search, name, "VALUE_NULL");
      }
      if (value.isValueNode() && NO_VALUES.contains(name)) {
        throw wrong(search, name, token(value));
      }
      boolean isObject = value.isObject() && NO_OBJECTS.contains(name);
      if (isObject || (value.isContainerNode() && ONLY_VALUES.contains(name))) {
        throw wrong(search, name, value.isObject() ? "START_OBJECT" : "START_ARRAY");
      }
      if (LISTS_OF_TEXTS.contains(name) && value.isArray()) {
        requireNoNull(search, name, value);
      }
      if (name.equals("stored_fields") && (value.isNumber() || value.isBoolean())) {
        throw new Refusal(
                ErrorType.PARSING,
                "Expected [VALUE_STRING] or [START_ARRAY] in [stored_fields] but found ["
                    + token(value)
                    + "]")
            .at(MemberLocation.ofName(search, name));
      }
      if (name.equals("_source") && value.isNumber()) {
        throw new Refusal(
                ErrorType.PARSING,
                "Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found"
                    + " [VALUE_NUMBER]")
            .at(MemberLocation.ofName(search, name));
      }
    }
  }

  private static void requireNoNull(ObjectNode search, String name, JsonNode list) {
    for (JsonNode one : list) {
      if (one.isNull() || (name.equals("stats") && !one.isTextual())) {
        throw new Refusal(
                ErrorType.PARSING,
                "Expected [VALUE_STRING] in [" + name + "] but found [" + one + "]")
            .at(MemberLocation.ofName(search, name));
      }
    }
  }

  private static Refusal wrong(ObjectNode search, String name, String token) {
    return new Refusal(ErrorType.PARSING, "Unknown key for a " + token + " in [" + name + "].")
        .at(MemberLocation.ofName(search, name));
  }

  private static String token(JsonNode value) {
    return value.isNumber() ? "VALUE_NUMBER" : value.isBoolean() ? "VALUE_BOOLEAN" : "VALUE_STRING";
  }
}
