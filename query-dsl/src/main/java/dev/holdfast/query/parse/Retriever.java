package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.UnsupportedFeatures;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `retriever` of a search: another way to say what is found, read as the body that says the same
/// with `query`, `knn`, `sort` and their kin.
public final class Retriever {
  private static final String NAME = "retriever";
  private static final String RESCORER = "rescorer";

  /// Of a rescoring that does not say how many documents it scores anew.
  private static final int WINDOW_DEFAULT = 10;

  /// Members of a body that a retriever stands for, in the order in which they are complained
  /// about.
  private static final List<String> EXCLUDED =
      List.of("query", "knn", "search_after", "terminate_after", "sort", "rescore");

  private static final List<String> MOVED =
      List.of("search_after", "terminate_after", "sort", "min_score", "collapse");

  /// Members of `knn` as a retriever, which has no `boost` and no `inner_hits`.
  private static final List<String> NEAREST =
      List.of(
          "field",
          "query_vector",
          "query_vector_builder",
          "k",
          "num_candidates",
          "visit_percentage",
          "similarity",
          "rescore_vector",
          "filter",
          "_name");

  private static final List<String> KINDS = List.of("knn", RESCORER, "standard");

  private static final int DEPTH_MAX = 10;

  private Retriever() {}

  /// The body without its retriever; the body itself when it has none.
  ///
  /// @throws Refusal `action_request_validation_exception` where both say what is found
  static ObjectNode resolved(ObjectNode body) {
    if (!(body.get(NAME) instanceof ObjectNode retriever)) {
      return body;
    }
    requireAlone(body);
    ObjectNode resolved = body.deepCopy();
    resolved.remove(NAME);
    resolved.setAll(found(retriever, 1));
    if (retriever.has(RESCORER)) {
      limitToWindows(resolved);
    }
    return resolved;
  }

  /// @throws Refusal `action_request_validation_exception` where the body says by other means too
  ///   what is found
  public static void requireAlone(ObjectNode body) {
    List<String> both = EXCLUDED.stream().filter(body::has).toList();
    if (!both.isEmpty()) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: cannot specify [retriever] and " + both + ";");
    }
  }

  private static ObjectNode found(JsonNode retriever, int depth) {
    if (!retriever.isObject() || retriever.isEmpty()) {
      throw new Refusal(ErrorType.PARSING, "retriever malformed, empty clause found");
    }
    String kind = retriever.fieldNames().next();
    if (retriever.size() > 1) {
      throw new Refusal(
          ErrorType.PARSING,
          "[" + kind + "] malformed retriever, expected [END_OBJECT] but found [FIELD_NAME]");
    }
    if (depth > DEPTH_MAX) {
      throw Refusal.badArgument("retrievers are nested deeper than [" + DEPTH_MAX + "]");
    }
    JsonObject options = JsonObject.of(kind, retriever.get(kind).deepCopy());
    ObjectNode body =
        switch (kind) {
          case "standard" -> standard(options);
          case "knn" -> nearest(options);
          case RESCORER -> rescored(options, depth);
          default -> {
            String message = "unknown retriever [" + kind + "]";
            throw new Refusal(
                ErrorType.PARSING, UnsupportedFeatures.complaint(message, kind, KINDS));
          }
        };
    if (!options.rest().isEmpty()) {
      String unknown = options.rest().getFirst();
      throw new Refusal(ErrorType.X_CONTENT_PARSE, "[" + kind + "] unknown field [" + unknown + "]")
          .at(MemberLocation.ofName(options.node(), unknown));
    }
    return body;
  }

  private static ObjectNode standard(JsonObject options) {
    ObjectNode body = Json.object();
    MOVED.forEach(name -> move(options, name, body));
    JsonNode query = options.take("query");
    List<JsonNode> filters = filters(options);
    String name = options.string("_name");
    JsonNode found = filters.isEmpty() && name == null ? query : bool(query, filters, name);
    if (found != null) {
      body.set("query", found);
    }
    return body;
  }

  private static ObjectNode nearest(JsonObject options) {
    ObjectNode body = Json.object();
    move(options, "min_score", body);
    if (!options.has("k")) {
      throw Refusal.badArgument("Required [k]");
    }
    ObjectNode knn = Json.object();
    NEAREST.forEach(name -> move(options, name, knn));
    body.set("knn", knn);
    return body;
  }

  private static ObjectNode rescored(JsonObject options, int depth) {
    ObjectNode body = found(options.required(NAME), depth + 1);
    List<JsonNode> filters = filters(options);
    if (!filters.isEmpty()) {
      JsonNode knn = body.get("knn");
      if (knn instanceof ObjectNode near) {
        List<JsonNode> all = new ArrayList<>(elements(near.get("filter")));
        all.addAll(filters);
        near.set("filter", array(all));
      } else {
        body.set("query", bool(body.get("query"), filters, null));
      }
    }
    addRescore(body, options.required("rescore"));
    move(options, "min_score", body);
    String _ = options.string("_name");
    return body;
  }

  /// Lets documents be scored anew, after what a body rescores already.
  public static void addRescore(ObjectNode body, JsonNode rescore) {
    List<JsonNode> all = new ArrayList<>(elements(body.get("rescore")));
    all.addAll(elements(rescore));
    body.set("rescore", array(all));
  }

  /// A rescorer finds no more documents than the smallest of its windows holds.
  public static void limitToWindows(ObjectNode body) {
    int window = Integer.MAX_VALUE;
    for (JsonNode one : elements(body.get("rescore"))) {
      window = Math.min(window, one.path("window_size").asInt(WINDOW_DEFAULT));
    }
    JsonNode size = body.path("size");
    int left = Math.max(0, window - body.path("from").asInt(0));
    if (size.isMissingNode() || size.canConvertToInt()) {
      body.put("size", Math.min(size.asInt(SearchSource.SIZE_DEFAULT), left));
    }
  }

  private static ObjectNode bool(
      @Nullable JsonNode query, List<JsonNode> filters, @Nullable String name) {
    ObjectNode bool = Json.object();
    if (query != null) {
      bool.set("must", query);
    }
    if (!filters.isEmpty()) {
      bool.set("filter", array(filters));
    }
    if (name != null) {
      bool.put("_name", name);
    }
    ObjectNode wrapped = Json.object();
    wrapped.set("bool", bool);
    return wrapped;
  }

  private static List<JsonNode> filters(JsonObject options) {
    return elements(options.take("filter"));
  }

  private static List<JsonNode> elements(@Nullable JsonNode given) {
    List<JsonNode> all = new ArrayList<>();
    if (given != null && given.isArray()) {
      given.forEach(all::add);
    } else if (given != null) {
      all.add(given);
    }
    return all;
  }

  private static ArrayNode array(List<JsonNode> nodes) {
    ArrayNode array = Json.MAPPER.createArrayNode();
    array.addAll(nodes);
    return array;
  }

  private static void move(JsonObject from, String name, ObjectNode to) {
    JsonNode value = from.take(name);
    if (value != null) {
      to.set(name, value);
    }
  }
}
