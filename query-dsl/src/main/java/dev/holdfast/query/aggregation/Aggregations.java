package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import dev.holdfast.world.Suggestions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Every aggregation the search body knows, and the reading of `aggs`.
public final class Aggregations {
  /// How deep aggregations may nest.
  static final int DEPTH_MAX = 100;

  private static final Set<String> NOT_KINDS = Set.of("aggs", "aggregations", "meta");

  /// Aggregations by the name of their kind: one line a kind.
  static final Registry<Parser> ALL = Registry.of("aggregation");

  private Aggregations() {}

  /// Reads one kind of aggregation.
  @FunctionalInterface
  public interface Parser {
    /// @param name the client's name for it
    /// @param body the kind's own object; the caller refuses what was not asked for
    /// @param inner sub-aggregations, in order
    Aggregation parse(String name, JsonObject body, List<Aggregation> inner);
  }

  /// Reads the value of `aggs`: aggregations by the client's names, in order.
  ///
  /// @throws Refusal `parsing_exception` for an unknown kind and for anything malformed
  public static List<Aggregation> parse(ObjectNode aggregations) {
    return parse(aggregations, 1);
  }

  /// Merges the partial results of two shards, position by position.
  public static List<Partial> merge(List<Partial> left, List<Partial> right) {
    List<Partial> merged = new ArrayList<>(left.size());
    for (int i = 0; i < left.size(); i++) {
      merged.add(left.get(i).merge(right.get(i)));
    }
    return merged;
  }

  /// Writes `"name": {…}` for each aggregation into the open object; `results` are reduced and
  /// parallel to `aggregations`.
  ///
  /// @param typedKeys whether names carry their kind (`avg#name`)
  public static void render(
      List<Aggregation> aggregations, List<Partial> results, JsonGenerator out, boolean typedKeys)
      throws IOException {
    for (int i = 0; i < results.size(); i++) {
      out.writeObjectFieldStart(aggregations.get(i).name());
      results.get(i).render(out);
      out.writeEndObject();
    }
  }

  private static List<Aggregation> parse(ObjectNode aggregations, int depth) {
    if (depth > DEPTH_MAX) {
      throw Refusal.badArgument("aggregations nest deeper than [" + DEPTH_MAX + "]");
    }
    List<Aggregation> parsed = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : aggregations.properties()) {
      parsed.add(one(member.getKey(), member.getValue(), depth));
    }
    return List.copyOf(parsed);
  }

  private static Aggregation one(String name, JsonNode definition, int depth) {
    if (name.isEmpty() || name.matches(".*[\\[\\]>].*")) {
      throw parsing(
          "Invalid aggregation name ["
              + name
              + "]. Aggregation names can contain any character except '[', ']', and '>'");
    }
    if (!(definition instanceof ObjectNode object)) {
      throw parsing(
          "Aggregation definition for [" + name + "] starts with a value, expected an object");
    }
    String kind = kind(name, object);
    Parser parser = ALL.get(kind);
    if (parser == null) {
      String message = "Unknown aggregation type [" + kind + "]";
      throw parsing(Suggestions.didYouMean(message, kind, ALL.names()));
    }
    JsonObject body = JsonObject.of(kind, object.get(kind));
    Aggregation aggregation = parser.parse(name, body, inner(name, object, depth));
    body.done();
    return aggregation;
  }

  private static List<Aggregation> inner(String name, ObjectNode definition, int depth) {
    JsonNode inner =
        definition.has("aggs") ? definition.get("aggs") : definition.get("aggregations");
    return switch (inner) {
      case null -> List.of();
      case ObjectNode object -> parse(object, depth + 1);
      default -> throw parsing("Expected [START_OBJECT] under [aggs] in [" + name + "]");
    };
  }

  private static String kind(String name, ObjectNode definition) {
    String found = null;
    for (Map.Entry<String, JsonNode> member : definition.properties()) {
      String kind = member.getKey();
      if (NOT_KINDS.contains(kind)) {
        continue;
      }
      if (found != null) {
        throw parsing(
            "Found two aggregation type definitions in ["
                + name
                + "]: ["
                + found
                + "] and ["
                + kind
                + "]");
      }
      found = kind;
    }
    if (found == null) {
      throw parsing("Missing definition for aggregation [" + name + "]");
    }
    return found;
  }

  private static Refusal parsing(String reason) {
    return new Refusal(ErrorType.PARSING, reason);
  }
}
