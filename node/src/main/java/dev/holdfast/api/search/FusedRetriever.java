package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.parse.Retriever;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The retrievers `rrf` and `linear`, which fuse what others find: each of those is a search of its
/// own, and the fused documents are then searched by their ids, each with its fused score. A
/// `rescorer` around them scores those documents anew.
///
/// Totals and aggregations are over the documents that the queries inside match, not only over
/// those fused.
final class FusedRetriever {
  private static final int WINDOW_MAX = 1_000;
  private static final int RETRIEVERS_MAX = 16;
  private static final int DEPTH_MAX = 5;
  private static final int RANK_CONSTANT_DEFAULT = 60;
  private static final String RESCORER = "rescorer";

  /// Runs one search.
  @FunctionalInterface
  interface Search {
    SearchResponse run(ObjectNode body) throws IOException, InterruptedException;
  }

  private record Document(String index, String id) {}

  /// One of the retrievers that are fused.
  private record Part(ObjectNode retriever, float weight, ScoreNormalizer normalizer) {}

  private final String kind;
  private final List<Part> parts;
  private final int window;
  private final int rankConstant;
  private final @Nullable JsonNode minScore;

  private FusedRetriever(JsonObject options, String kind, int size) {
    this.kind = kind;
    boolean isRanked = kind.equals("rrf");
    window = options.integer("rank_window_size", Math.clamp(size, 1, WINDOW_MAX));
    rankConstant = isRanked ? options.integer("rank_constant", RANK_CONSTANT_DEFAULT) : 0;
    minScore = options.take("min_score");
    JsonNode filter = options.take("filter");
    String normal = isRanked ? null : options.string("normalizer");
    ScoreNormalizer normalizer = ScoreNormalizer.of(normal);
    String _ = options.string("_name");
    String words = options.string("query");
    JsonNode fields = options.take("fields");
    parts = new ArrayList<>();
    if (words == null && fields == null) {
      for (JsonNode one : options.required("retrievers")) {
        parts.add(part(one, filter, normalizer));
      }
    } else {
      requireWordsAlone(options, words, isRanked || normal != null);
      parts.add(new Part(filtered(ofWords(words, fields), filter), 1, normalizer));
    }
    options.done();
    check(size);
  }

  private void requireWordsAlone(JsonObject options, @Nullable String words, boolean isNormalized) {
    if (options.take("retrievers") != null) {
      throw invalid("cannot combine [retrievers] and [query]");
    }
    if (words == null || words.isBlank()) {
      throw invalid(words == null ? "[query] must be provided with [fields]" : "[query] is empty");
    }
    if (!isNormalized) {
      throw invalid("[normalizer] must be provided with [query]");
    }
  }

  private Refusal invalid(String reason) {
    return new Refusal(
        ErrorType.ACTION_REQUEST_VALIDATION,
        "Validation Failed: 1: [" + kind + "] " + reason + ";");
  }

  /// Words in several fields: all of them are searched by words, so that they are one retriever.
  private static ObjectNode ofWords(@Nullable String words, @Nullable JsonNode fields) {
    ObjectNode retriever = Json.object();
    ObjectNode match = retriever.putObject("standard").putObject("query").putObject("multi_match");
    match.put("query", words).put("type", "most_fields");
    if (fields != null) {
      match.set("fields", fields);
    }
    return retriever;
  }

  private void check(int size) {
    if (window < 1 || window > WINDOW_MAX) {
      throw Refusal.badArgument(
          "[rank_window_size] must be between 1 and " + WINDOW_MAX + ", but was [" + window + "]");
    }
    if (window < size) {
      throw Refusal.badArgument(
          "["
              + kind
              + "] requires [rank_window_size: "
              + window
              + "] be greater than or equal to [size: "
              + size
              + "]");
    }
    if (kind.equals("rrf") && rankConstant < 1) {
      throw Refusal.badArgument("[rank_constant] must be greater or equal to [1] for [rrf]");
    }
    if (parts.isEmpty() || parts.size() > RETRIEVERS_MAX) {
      throw Refusal.badArgument("[retrievers] must be between 1 and " + RETRIEVERS_MAX);
    }
  }

  private Part part(JsonNode given, @Nullable JsonNode filter, ScoreNormalizer usual) {
    if (!(given instanceof ObjectNode object)) {
      throw Refusal.badArgument("[retrievers] must hold objects");
    }
    JsonNode retriever = object;
    float weight = 1;
    ScoreNormalizer normalizer = usual;
    if (object.has("retriever")) {
      JsonObject options = JsonObject.of(kind, object.deepCopy());
      retriever = options.required("retriever");
      weight = (float) options.doubleValue("weight", 1);
      String name = options.string("normalizer");
      normalizer = name == null ? usual : ScoreNormalizer.of(name);
      options.done();
      if (!(weight >= 0)) {
        throw Refusal.badArgument("[weight] must be non-negative");
      }
    }
    return new Part(filtered(retriever.deepCopy(), filter), weight, normalizer);
  }

  private ObjectNode filtered(JsonNode retriever, @Nullable JsonNode filter) {
    return filtered(kind, retriever, filter);
  }

  /// A retriever with one more filter.
  ///
  /// @param outer the retriever that the filter is of, for messages
  private static ObjectNode filtered(String outer, JsonNode retriever, @Nullable JsonNode filter) {
    ObjectNode whole = JsonObject.of("retriever", retriever).node();
    if (filter == null) {
      return whole;
    }
    for (Map.Entry<String, JsonNode> one : whole.properties()) {
      if (one.getValue() instanceof ObjectNode options) {
        ArrayNode all = Json.MAPPER.createArrayNode();
        addFilters(one.getKey(), options.path("filter"), all);
        addFilters(outer, filter, all);
        options.set("filter", all);
      }
    }
    return whole;
  }

  /// @param retriever that has the filters, for messages
  /// @throws Refusal for what is neither a query nor a list of queries
  private static void addFilters(String retriever, JsonNode given, ArrayNode to) {
    if (given.isMissingNode()) {
      return;
    }
    for (JsonNode one : given.isArray() ? given : List.of(given)) {
      if (!one.isObject()) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[" + retriever + "] filter doesn't support values of type: " + JsonObject.token(one));
      }
      to.add(one);
    }
  }

  /// Runs a search whose retriever may fuse others: first those, then one for the documents that
  /// they found.
  static SearchResponse run(ObjectNode body, Search search)
      throws IOException, InterruptedException {
    List<SearchResponse> parts = new ArrayList<>();
    ObjectNode resolved =
        resolve(
            body,
            part -> {
              SearchResponse found = search.run(part);
              parts.add(found);
              return found;
            },
            1,
            true);
    SearchResponse whole = search.run(resolved);
    return parts.isEmpty() ? whole : whole.withFailuresOf(parts);
  }

  /// The body with the documents of a fusing retriever in its place; the body itself when its
  /// retriever is none.
  ///
  /// @param countsMatches whether what the queries inside match is found too, behind the fused
  ///   documents
  private static ObjectNode resolve(
      ObjectNode body, Search search, int depth, boolean countsMatches)
      throws IOException, InterruptedException {
    JsonNode retriever = body.path("retriever");
    if (!isFusing(retriever)) {
      return body;
    }
    if (depth > DEPTH_MAX) {
      throw Refusal.badArgument("retrievers are nested deeper than [" + DEPTH_MAX + "]");
    }
    Retriever.requireAlone(body);
    String kind = kind(retriever);
    if (kind.equals(RESCORER)) {
      return rescored(body, search, depth);
    }
    JsonObject options = JsonObject.of(kind, retriever.get(kind).deepCopy());
    int size = body.path("size").asInt(SearchSource.SIZE_DEFAULT);
    FusedRetriever fused = new FusedRetriever(options, kind, size);
    Map<Document, Float> scores = new LinkedHashMap<>();
    for (Part part : fused.parts) {
      ObjectNode alone = Json.object();
      alone.set("retriever", part.retriever);
      alone.put("size", fused.window).put("_source", false).put("track_total_hits", false);
      fused.add(scores, part, search.run(resolve(alone, search, depth + 1, true)).hits());
    }
    return fused.searched(body, scores, size, countsMatches);
  }

  private static String kind(JsonNode retriever) {
    return retriever.isObject() && retriever.size() == 1 ? retriever.fieldNames().next() : "";
  }

  /// Whether a retriever fuses others, or scores anew what one inside of it fuses.
  private static boolean isFusing(JsonNode retriever) {
    JsonNode inner = retriever;
    for (int depth = 0; kind(inner).equals(RESCORER) && depth <= DEPTH_MAX; depth++) {
      inner = inner.get(RESCORER).path("retriever");
    }
    return kind(inner).equals("rrf") || kind(inner).equals("linear");
  }

  /// Only fused documents are scored anew: what merely matches must not get in front of them.
  private static ObjectNode rescored(ObjectNode body, Search search, int depth)
      throws IOException, InterruptedException {
    JsonObject options = JsonObject.of(RESCORER, body.get("retriever").get(RESCORER).deepCopy());
    ObjectNode fused = body.deepCopy();
    fused.set(
        "retriever", filtered(RESCORER, options.required("retriever"), options.take("filter")));
    JsonNode rescore = options.required("rescore");
    JsonNode minScore = options.take("min_score");
    String _ = options.string("_name");
    options.done();
    ObjectNode resolved = resolve(fused, search, depth + 1, false);
    Retriever.addRescore(resolved, rescore);
    Retriever.limitToWindows(resolved);
    if (minScore != null) {
      resolved.set("min_score", minScore);
    }
    return resolved;
  }

  private void add(Map<Document, Float> scores, Part part, List<Hit> hits) {
    List<Float> found = new ArrayList<>();
    hits.forEach(hit -> found.add(Float.isNaN(hit.score()) ? 0 : hit.score()));
    List<Float> normal = part.normalizer.of(found);
    for (int i = 0; i < hits.size(); i++) {
      String id = hits.get(i).id();
      if (id != null) {
        float own = kind.equals("rrf") ? 1f / (rankConstant + i + 1) : normal.get(i);
        scores.merge(new Document(hits.get(i).index(), id), own * part.weight, Float::sum);
      }
    }
  }

  private ObjectNode searched(
      ObjectNode body, Map<Document, Float> scores, int size, boolean countsMatches) {
    List<Map.Entry<Document, Float>> best = new ArrayList<>(scores.entrySet());
    best.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
    best = best.subList(0, Math.min(window, best.size()));
    ObjectNode searched = body.deepCopy();
    searched.remove("retriever");
    ObjectNode bool = searched.putObject("query").putObject("bool");
    ArrayNode any = bool.putArray("should");
    for (Map.Entry<Document, Float> one : best) {
      any.add(scored(one.getKey(), one.getValue()));
    }
    for (Part part : countsMatches ? parts : List.<Part>of()) {
      JsonNode query = part.retriever.path("standard").get("query");
      if (query != null) {
        ObjectNode matched = any.addObject().putObject("constant_score").put("boost", 0);
        ObjectNode both = matched.putObject("filter").putObject("bool");
        both.set("must", query);
        if (part.retriever.path("standard").has("filter")) {
          both.set("filter", part.retriever.path("standard").get("filter"));
        }
      }
    }
    if (any.isEmpty()) {
      any.addObject().putObject("match_none");
    }
    if (minScore != null) {
      searched.set("min_score", minScore);
    }
    int from = body.path("from").asInt(0);
    return searched.put("size", Math.min(size, Math.max(0, best.size() - from)));
  }

  private static ObjectNode scored(Document document, float score) {
    ObjectNode query = Json.object();
    ObjectNode constant = query.putObject("constant_score").put("boost", score);
    ArrayNode filter = constant.putObject("filter").putObject("bool").putArray("filter");
    filter.addObject().putObject("ids").putArray("values").add(document.id());
    filter.addObject().putObject("term").put("_index", document.index());
    return query;
  }
}
