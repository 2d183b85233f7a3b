package dev.holdfast.api.search.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The shape of the `requests` of an evaluation: what is none of them is refused as a whole, before
/// anything is searched, and never taken for an empty search or for no rating.
final class RatedRequests {
  private static final List<String> OF_RATINGS = List.of("_index", "_id", "rating");

  /// Parts of a search that are no hits.
  private static final Map<String, String> NO_HITS = noHits();

  private RatedRequests() {}

  private static Map<String, String> noHits() {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("suggest", "contain a suggest section");
    parts.put("aggs", "contain aggregations");
    parts.put("aggregations", "contain aggregations");
    parts.put("highlight", "contain a highlighter section");
    parts.put("explain", "use explain");
    parts.put("profile", "use profile");
    return parts;
  }

  /// @param templates ids of the templates that requests may be made of
  /// @throws Refusal 400 for the first request that is none
  static void check(JsonNode requests, Set<String> templates) {
    if (!requests.isArray()) {
      throw wrong("requests", requests);
    }
    if (requests.isEmpty()) {
      throw Refusal.badArgument(
          "Cannot evaluate ranking if no search requests with rated results are provided. Seen:"
              + " []");
    }
    for (JsonNode one : requests) {
      if (!one.isObject()) {
        throw wrong("requests", one);
      }
      for (Map.Entry<String, JsonNode> member : one.properties()) {
        request(member.getKey(), member.getValue());
      }
      for (String required : List.of("id", "ratings")) {
        if (!one.has(required)) {
          throw unread("Required [" + required + "]");
        }
      }
      whole(one, templates);
    }
  }

  /// A request is a search, or a template with its parameters, for different documents.
  private static void whole(JsonNode one, Set<String> templates) {
    boolean hasParams = !one.path("params").isEmpty();
    JsonNode search = one.get("request");
    JsonNode template = one.get("template_id");
    if (search != null && (hasParams || template != null)) {
      throw unread(
          "Ambiguous rated request: Set both, verbatim test request and test request template"
              + " parameters.");
    }
    if (search == null && !hasParams) {
      throw unread("Need to set at least test request or test request template parameters.");
    }
    if (hasParams && template == null) {
      throw unread(
          "If template parameters are supplied need to set id of template to apply them to too.");
    }
    if (template != null && !templates.contains(template.asText())) {
      throw unread("there is no template of the id [" + template.asText() + "] in [templates]");
    }
    if (search != null) {
      requireOnlyHits(search);
    }
    Set<JsonNode> documents = new HashSet<>();
    for (JsonNode rating : one.path("ratings")) {
      JsonNode document =
          Json.object()
              .put("_index", rating.path("_index").asText())
              .put("_id", rating.path("_id").asText());
      if (!documents.add(document)) {
        throw unread(
            "Found duplicate rated document key ["
                + document
                + "] in evaluation request ["
                + one.path("id").asText()
                + "]");
      }
    }
  }

  /// @throws Refusal when the search asks for more than hits
  static void requireOnlyHits(JsonNode search) {
    NO_HITS.forEach((name, why) -> {
      JsonNode part = search.path(name);
      boolean isOff = part.isMissingNode() || part.asText().equals("false");
      if (!isOff) {
        throw unread("Query in rated requests should not " + why + ".");
      }
    });
  }

  private static Refusal unread(String reason) {
    return new Refusal(
        ErrorType.X_CONTENT_PARSE,
        "[rank_eval] failed to parse field [requests]",
        Refusal.badArgument(reason));
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
    if (name.equals("summary_fields")) {
      for (JsonNode field : value) {
        if (!field.isValueNode() || field.isNull()) {
          throw wrong(name, field);
        }
      }
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
        throw unread("Required [" + required + "]");
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
    return unread("[" + name + "] doesn't support values of type: " + JsonObject.token(value));
  }
}
