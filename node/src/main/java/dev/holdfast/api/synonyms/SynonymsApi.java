package dev.holdfast.api.synonyms;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Ids;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;

/// `GET|PUT|DELETE /_synonyms/{set}` and `/_synonyms/{set}/{rule}`: synonym rules kept under a
/// name, for filters that say `synonyms_set`.
public final class SynonymsApi {
  private static final int RULES_MAX = 10_000;
  private static final int PAGE_DEFAULT = 10;

  private final Metadata metadata;
  private final Ids ids;

  public SynonymsApi(Metadata metadata, Ids ids) {
    this.metadata = metadata;
    this.ids = ids;
  }

  /// `GET /_synonyms`.
  public Answer sets(ApiRequest request) {
    ObjectNode answer = Json.object();
    ArrayNode results = Json.MAPPER.createArrayNode();
    for (Map.Entry<String, JsonNode> set :
        StoredSynonyms.all(metadata.current()).properties().stream()
            .sorted(Map.Entry.comparingByKey())
            .toList()) {
      results.addObject().put("synonyms_set", set.getKey()).put("count", set.getValue().size());
    }
    answer.put("count", results.size());
    answer.set("results", page(results, request));
    return Answer.of(200, answer);
  }

  /// `GET /_synonyms/{set}`.
  public Answer set(ApiRequest request) {
    ArrayNode rules = StoredSynonyms.require(metadata.current(), request.required("set"));
    ObjectNode answer = Json.object().put("count", rules.size());
    answer.set("synonyms_set", page(rules, request));
    return Answer.of(200, answer);
  }

  private static ArrayNode page(ArrayNode whole, ApiRequest request) {
    int from = request.integer("from", 0);
    int size = request.integer("size", PAGE_DEFAULT);
    if (from < 0 || size < 0) {
      throw Refusal.badArgument("[from] and [size] must not be negative");
    }
    ArrayNode page = Json.MAPPER.createArrayNode();
    for (int i = from; i < whole.size() && i - from < size; i++) {
      page.add(whole.get(i));
    }
    return page;
  }

  /// `PUT /_synonyms/{set}`.
  public Answer putSet(ApiRequest request) throws InterruptedException {
    String set = request.required("set");
    JsonObject body = JsonObject.of("synonyms_set", request.body().kept());
    JsonNode given = body.required("synonyms_set");
    body.done();
    ArrayNode rules = Json.MAPPER.createArrayNode();
    for (JsonNode rule : given.isArray() ? given : List.of(given)) {
      JsonObject one = JsonObject.of("synonym_rule", rule);
      String id = one.string("id", "");
      rules.add(rule(id.isEmpty() ? ids.documentId() : id, one));
    }
    if (rules.size() > RULES_MAX) {
      throw Refusal.badArgument(
          "The number of synonyms rules in a synonym set cannot exceed " + RULES_MAX);
    }
    ClusterState before = metadata.current();
    boolean isNew = !StoredSynonyms.all(before).has(set);
    ClusterState after =
        metadata.update(
            "put-synonyms [" + set + "]", state -> StoredSynonyms.with(state, set, rules));
    return Answer.of(isNew ? 201 : 200, changed(isNew ? "created" : "updated", after, set));
  }

  private static ObjectNode rule(String id, JsonObject given) {
    String text = given.string("synonyms");
    given.done();
    if (text == null) {
      throw Refusal.badArgument("synonyms rule [" + id + "] has no [synonyms]");
    }
    SynonymRules.require(text);
    return Json.object().put("id", id).put("synonyms", text);
  }

  /// What a change answers: how many analysers were made anew, index by index.
  private static ObjectNode changed(String result, ClusterState state, String set) {
    ObjectNode answer = Json.object().put("result", result);
    List<String> users = StoredSynonyms.users(state, set);
    ObjectNode details = answer.putObject("reload_analyzers_details");
    details
        .putObject("_shards")
        .put("total", users.size())
        .put("successful", users.size())
        .put("failed", 0);
    ArrayNode reloaded = details.putArray("reload_details");
    users.forEach(index -> reloaded.addObject().put("index", index));
    return answer;
  }

  /// `DELETE /_synonyms/{set}`.
  public Answer deleteSet(ApiRequest request) throws InterruptedException {
    String set = request.required("set");
    metadata.update(
        "delete-synonyms [" + set + "]",
        state -> {
          var _ = StoredSynonyms.require(state, set);
          List<String> users = StoredSynonyms.users(state, set);
          if (!users.isEmpty()) {
            throw Refusal.badArgument(
                "synonyms set ["
                    + set
                    + "] cannot be deleted as it is used in the following indices: "
                    + String.join(", ", users));
          }
          return StoredSynonyms.with(state, set, null);
        });
    return Answer.acknowledged();
  }

  /// `GET /_synonyms/{set}/{rule}`.
  public Answer rule(ApiRequest request) {
    String set = request.required("set");
    String id = request.required("rule");
    ArrayNode rules = StoredSynonyms.require(metadata.current(), set);
    return Answer.of(200, rules.get(requirePlace(rules, set, id)));
  }

  private static int requirePlace(ArrayNode rules, String set, String id) {
    int place = StoredSynonyms.place(rules, id);
    if (place < 0) {
      throw StoredSynonyms.missing(
          "synonym rule [" + id + "] not found on synonyms set [" + set + "]");
    }
    return place;
  }

  /// `PUT /_synonyms/{set}/{rule}`.
  public Answer putRule(ApiRequest request) throws InterruptedException {
    String set = request.required("set");
    String id = request.required("rule");
    ObjectNode rule = rule(id, JsonObject.of("synonym_rule", request.body().object()));
    boolean isNew = StoredSynonyms.place(StoredSynonyms.require(metadata.current(), set), id) < 0;
    ClusterState after =
        metadata.update(
            "put-synonym-rule [" + set + "]",
            state -> {
              ArrayNode rules = StoredSynonyms.require(state, set).deepCopy();
              int place = StoredSynonyms.place(rules, id);
              if (place >= 0) {
                rules.set(place, rule);
              } else if (rules.size() < RULES_MAX) {
                rules.add(rule);
              } else {
                throw Refusal.badArgument(
                    "The number of synonyms rules in a synonym set cannot exceed " + RULES_MAX);
              }
              return StoredSynonyms.with(state, set, rules);
            });
    return Answer.of(isNew ? 201 : 200, changed(isNew ? "created" : "updated", after, set));
  }

  /// `DELETE /_synonyms/{set}/{rule}`.
  public Answer deleteRule(ApiRequest request) throws InterruptedException {
    String set = request.required("set");
    String id = request.required("rule");
    ClusterState after =
        metadata.update(
            "delete-synonym-rule [" + set + "]",
            state -> {
              ArrayNode rules = StoredSynonyms.require(state, set).deepCopy();
              var _ = rules.remove(requirePlace(rules, set, id));
              return StoredSynonyms.with(state, set, rules);
            });
    return Answer.of(200, changed("deleted", after, set));
  }
}
