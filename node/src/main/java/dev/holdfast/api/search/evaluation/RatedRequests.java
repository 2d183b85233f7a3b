package dev.holdfast.api.search.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;

/// The shape of the `requests` of an evaluation: what is none of them is refused as a whole, before
/// anything is searched, and never taken for an empty search or for no rating.
final class RatedRequests {
  private static final List<String> OF_RATINGS = List.of("_index", "_id", "rating");

  private RatedRequests() {}

  /// @throws Refusal `x_content_parse_exception`
  static void check(JsonNode requests) {
    if (!requests.isArray()) {
      throw wrong("requests", requests);
    }
    for (JsonNode one : requests) {
      if (!one.isObject()) {
        throw wrong("requests", one);
      }
      for (Map.Entry<String, JsonNode> member : one.properties()) {
        request(member.getKey(), member.getValue());
      }
    }
  }

  private static void request(String name, JsonNode value) {
    boolean isRight =
        switch (name) {
          case "id", "template_id" -> value.isTextual();
          case "request", "params" -> value.isObject();
          case "ratings" -> value.isArray();
          case "summary_fields" -> value.isArray() || value.isTextual();
          default ->
              throw new Refusal(
                  ErrorType.X_CONTENT_PARSE, "[request] unknown field [" + name + "]");
        };
    if (!isRight) {
      throw wrong(name, value);
    }
    if (name.equals("ratings")) {
      value.forEach(RatedRequests::rating);
    }
  }

  private static void rating(JsonNode rating) {
    if (!rating.isObject()) {
      throw wrong("ratings", rating);
    }
    rating
        .fieldNames()
        .forEachRemaining(name -> {
          if (!OF_RATINGS.contains(name)) {
            throw new Refusal(
                ErrorType.X_CONTENT_PARSE, "[rated_document] unknown field [" + name + "]");
          }
        });
    for (String required : OF_RATINGS) {
      if (!rating.hasNonNull(required)) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[rank_eval] failed to parse field [requests]",
            Refusal.badArgument("Required [" + required + "]"));
      }
    }
    for (String name : List.of("_index", "_id")) {
      JsonNode value = rating.path(name);
      if (!value.isTextual() || value.asText().isEmpty()) {
        throw wrong(name, value);
      }
    }
    JsonNode given = rating.path("rating");
    boolean isWhole =
        given.isTextual()
            ? given.asText().matches("-?[0-9]{1,9}")
            : given.isNumber() && given.canConvertToInt();
    if (!isWhole) {
      throw wrong("rating", given);
    }
  }

  private static Refusal wrong(String name, JsonNode value) {
    return new Refusal(
        ErrorType.X_CONTENT_PARSE,
        "[rank_eval] failed to parse field [requests]",
        Refusal.badArgument(
            "[" + name + "] doesn't support values of type: " + JsonObject.token(value)));
  }
}
