package dev.holdfast.api.search.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.SearchTargets;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.api.search.template.SearchTemplates;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.Searches;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `GET|POST /_rank_eval`, `/{index}/_rank_eval`: how good the order of hits is for rated
/// documents.
public final class RankEvalApi implements Api {
  public static final List<String> PARAMETERS = parameters();

  /// What a search is refused with that is none: it fails the whole request, before any shard.
  private static final List<ErrorType> UNREAD =
      List.of(ErrorType.PARSING, ErrorType.X_CONTENT_PARSE);

  /// What a hit takes in the answer until it is sent: it is shown, and listed where it has no
  /// rating.
  private static final int HIT_BYTES = 1024;

  private final Metadata metadata;
  private final Searches searches;
  private final SearchTemplates templates;
  private final QueryLookups lookups;

  public RankEvalApi(Metadata metadata, Searches searches, SearchTemplates templates) {
    this.metadata = metadata;
    this.searches = searches;
    this.templates = templates;
    this.lookups = new QueryLookups(metadata, searches);
  }

  private static List<String> parameters() {
    List<String> all = new ArrayList<>(IndexExpression.PARAMETERS);
    all.add("search_type");
    return List.copyOf(all);
  }

  /// A document.
  private record Key(String index, String id) {}

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    JsonObject body = JsonObject.ofKinds("rank_eval", request.body().object());
    JsonNode requests = required(body, "requests");
    RankMetric metric = RankMetric.parse(required(body, "metric"));
    Map<String, JsonNode> stored = templates(body.take("templates"));
    RatedRequests.check(requests, stored.keySet());
    int concurrent = body.integer("max_concurrent_searches", 10);
    body.done();
    if (concurrent < 1) {
      throw Refusal.badArgument("maxConcurrentSearchRequests must be positive");
    }
    var _ = IndexExpression.Options.SEARCH.of(request); // of no request alone is it a failure
    ObjectNode details = Json.object();
    ObjectNode failures = Json.object();
    Map<String, Double> scores = new LinkedHashMap<>();
    for (JsonNode one : requests) {
      JsonObject rated = JsonObject.of("request", one);
      String id = rated.required("id").asText();
      try {
        ObjectNode detail = details.objectNode();
        scores.put(id, evaluate(request, rated, metric, stored, detail));
        details.set(id, detail);
      } catch (Refusal e) {
        if (rated.has("request") && UNREAD.contains(e.type())) {
          throw e;
        }
        failures.set(id, failure(e));
      }
    }
    ObjectNode answer = Json.object();
    answer.put(
        "metric_score",
        scores.values().stream().mapToDouble(Double::doubleValue).average().orElse(0));
    answer.set("details", details);
    answer.set("failures", failures);
    return Answer.of(200, answer);
  }

  private static JsonNode required(JsonObject body, String name) {
    JsonNode given = body.take(name);
    if (given == null) {
      throw Refusal.badArgument("Required [" + name + "]");
    }
    return given;
  }

  /// Templates by their ids.
  private static Map<String, JsonNode> templates(@Nullable JsonNode given) {
    Map<String, JsonNode> templates = new LinkedHashMap<>();
    if (given == null) {
      return templates;
    }
    if (!given.isArray()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[rank_eval] templates doesn't support values of type: " + JsonObject.token(given));
    }
    for (JsonNode one : given) {
      JsonObject named = JsonObject.ofKinds("script_with_id", one);
      String id = named.string("id");
      JsonNode template = named.take("template");
      named.done();
      if (id == null || template == null) {
        throw Refusal.badArgument("Required [" + (id == null ? "id" : "template") + "]");
      }
      if (!template.isObject()) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[script_with_id] template doesn't support values of type: "
                + JsonObject.token(template));
      }
      templates.put(id, template);
    }
    return templates;
  }

  private double evaluate(
      ApiRequest request,
      JsonObject rated,
      RankMetric metric,
      Map<String, JsonNode> stored,
      ObjectNode detail)
      throws IOException, InterruptedException {
    Map<Key, Integer> ratings = new LinkedHashMap<>();
    for (JsonNode rating : rated.required("ratings")) {
      ratings.put(
          new Key(rating.path("_index").asText(), rating.path("_id").asText()),
          rating.path("rating").asInt());
    }
    ObjectNode body = body(rated, stored);
    body.put("size", metric.k());
    body.put("track_total_hits", false);
    JsonNode summary = rated.take("summary_fields");
    if (summary != null) {
      body.set("_source", summary);
    } else {
      body.put("_source", false);
    }
    String index = request.text("index", "");
    lookups.resolve(body, index);
    SearchResponse response =
        searches.searchShards(
            SearchTargets.of(
                metadata.current(),
                index,
                IndexExpression.Options.SEARCH.of(request),
                null,
                null,
                null),
            SearchParser.parse(body),
            request.isCancelled());
    List<@Nullable Integer> inOrder = new ArrayList<>();
    ArrayNode unrated = detail.arrayNode();
    ArrayNode hits = detail.arrayNode();
    RequestMemory.add((long) response.hits().size() * HIT_BYTES);
    for (Hit hit : response.hits()) {
      Key key = new Key(hit.index(), String.valueOf(hit.id()));
      Integer rating = ratings.get(key);
      inOrder.add(rating);
      if (rating == null) {
        unrated.addObject().put("_index", key.index).put("_id", key.id);
      }
      ObjectNode shown = hits.addObject();
      ObjectNode inner = shown.putObject("hit").put("_index", key.index).put("_id", key.id);
      if (Float.isNaN(hit.score())) {
        inner.putNull("_score");
      } else {
        inner.put("_score", hit.score());
      }
      if (rating == null) {
        shown.putNull("rating");
      } else {
        shown.put("rating", rating);
      }
    }
    RankMetric.Score score = metric.score(inOrder, List.copyOf(ratings.values()));
    detail.put("metric_score", score.value());
    detail.set("unrated_docs", unrated);
    detail.set("hits", hits);
    detail.set("metric_details", score.details());
    return score.value();
  }

  private ObjectNode body(JsonObject rated, Map<String, JsonNode> stored) {
    JsonNode plain = rated.take("request");
    String template = rated.string("template_id");
    if (template == null) {
      return JsonObject.of("request", plain).node().deepCopy();
    }
    JsonNode known = stored.get(template);
    JsonNode source = known == null ? null : known.get("source");
    JsonNode id = known == null ? null : known.get("id");
    ObjectNode filled =
        templates.fill(id == null ? null : id.asText(), source, rated.take("params"));
    RatedRequests.requireOnlyHits(filled);
    return filled;
  }

  private static ObjectNode failure(Refusal e) {
    ObjectNode error = Json.object();
    Refusal shown = e.getCause() instanceof Refusal cause ? cause : e;
    ObjectNode inner = error.putObject("error");
    inner
        .putArray("root_cause")
        .addObject()
        .put("type", shown.type().type())
        .put("reason", shown.reason());
    inner.put("type", e.type().type());
    inner.put("reason", e.reason());
    return error;
  }
}
