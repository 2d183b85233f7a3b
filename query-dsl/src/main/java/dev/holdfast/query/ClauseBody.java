package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The body of one query being read: `{"option": …}` or `{"field": value-or-options}`.
///
/// @param kind name of the query
public record ClauseBody(String kind, ObjectNode node) {
  /// Kinds in which null says as much as nothing, as in Elasticsearch.
  private static final Set<String> TAKES_NULL =
      Set.of(
          "boosting",
          "function_score",
          "geo_bounding_box",
          "geo_distance",
          "geo_polygon",
          "more_like_this",
          "nested");

  /// Kinds whose options Elasticsearch reads, and refuses, as it does members of objects.
  private static final Set<String> READ_AS_OBJECTS =
      Set.of(
          "bool",
          "combined_fields",
          "distance_feature",
          "ids",
          "knn",
          "match_all",
          "match_none",
          "percolate");

  /// The body as options of the query itself.
  public Options options() {
    return options(node);
  }

  private Options options(ObjectNode given) {
    JsonObject json =
        READ_AS_OBJECTS.contains(kind)
            ? JsonObject.ofKinds(kind, given)
            : TAKES_NULL.contains(kind)
                ? JsonObject.ofValuesOrNull(kind, given)
                : JsonObject.ofValues(kind, given);
    return new Options(kind, json);
  }

  /// The body as one field with a value, and nothing beside it: `boost` and `_name` are among the
  /// options of the field.
  ///
  /// @param shorthand the option that `{"field": value}` stands for
  public OneField oneField(String shorthand) {
    String field = null;
    for (String name : JsonObject.of(kind, node).rest()) {
      if (field != null) {
        throw QueryReader.parsing(
                "["
                    + kind
                    + "] query doesn't support multiple fields, found ["
                    + field
                    + "] and ["
                    + name
                    + "]")
            .at(MemberLocation.ofValue(node, name));
      }
      field = name;
    }
    if (field == null) {
      throw Refusal.badArgument("field name is null or empty");
    }
    JsonNode given = node.get(field);
    if (given.isArray()) {
      throw QueryReader.parsing("[" + kind + "] query does not support array of values");
    }
    ObjectNode options = given instanceof ObjectNode object ? object.deepCopy() : Json.object();
    if (!given.isObject()) {
      options.set(shorthand, given);
    }
    return new OneField(field, options(options));
  }

  /// A field and what the query says of it.
  public record OneField(String field, Options options) {
    /// This, where the field has a name.
    ///
    /// @param otherwise what Elasticsearch says of a query of `""`
    public OneField named(String otherwise) {
      if (field.isEmpty()) {
        throw Refusal.badArgument(otherwise);
      }
      return this;
    }

    /// This, where the field has a name.
    public OneField named() {
      return named("field name is null or empty");
    }

    /// The value searched for.
    ///
    /// @throws Refusal when null or absent
    public JsonNode value(String name) {
      JsonNode value = options.json().orNull(name);
      if (value == null) {
        throw Refusal.badArgument(
            !options.json().has(name) && !name.equals("value")
                ? "No text specified for text query"
                : "value cannot be null");
      }
      if (value.isContainerNode()) {
        throw QueryReader.parsing(
            "[" + options.kind() + "] unexpected object or array after [" + name + "]");
      }
      return value;
    }
  }

  /// The options of a query; [#finish] must come last.
  public record Options(String kind, JsonObject json) {
    /// Reads what every query has (`boost`, `_name`), refuses what nobody asked for.
    public QueryClause finish(QueryClause clause) {
      return finish(clause, json.doubleValue("boost", 1));
    }

    /// The same for a kind that has its own use of `boost`.
    public QueryClause finishBoosted(QueryClause clause) {
      return finish(clause, 1);
    }

    private QueryClause finish(QueryClause clause, double boost) {
      String name = json.string("_name");
      if (READ_AS_OBJECTS.contains(kind)) {
        json.done();
      }
      if (!json.rest().isEmpty()) {
        throw QueryReader.parsing(
                "[" + kind + "] query does not support [" + json.rest().getFirst() + "]")
            .at(MemberLocation.ofValue(json.node(), json.rest().getFirst()));
      }
      if (Float.isInfinite((float) boost)) {
        throw Refusal.badArgument("[boost] must be finite, got [" + boost + "]");
      }
      if (boost < 0) {
        throw Refusal.badArgument(
            "negative [boost] are not allowed in ["
                + json.node()
                + "], use a value between 0 and 1 to deboost");
      }
      return boost == 1 && name == null ? clause : new BoostedClause(clause, (float) boost, name);
    }

    public @Nullable JsonNode take(String name) {
      return json.take(name);
    }
  }
}
