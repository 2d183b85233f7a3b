package dev.holdfast.api.enrich;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.api.document.reindex.ReindexApi;
import dev.holdfast.api.enrich.EnrichPolicies.Policy;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.tasks.BackgroundTasks;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// `PUT /_enrich/policy/{name}/_execute`: copies what a policy takes of its indices into a new
/// index, which takes the place of the one before when it is whole.
public final class ExecutePolicyApi implements Api {
  private final Metadata metadata;
  private final IndexCreation creation;
  private final IndexingShards shards;
  private final ReindexApi reindex;
  private final BackgroundTasks tasks;
  private final Clock clock;
  private final Set<String> executing = ConcurrentHashMap.newKeySet();

  public ExecutePolicyApi(
      Metadata metadata,
      IndexCreation creation,
      IndexingShards shards,
      ReindexApi reindex,
      BackgroundTasks tasks,
      Clock clock) {
    this.metadata = metadata;
    this.creation = creation;
    this.shards = shards;
    this.reindex = reindex;
    this.tasks = tasks;
    this.clock = clock;
  }

  /// Names of the policies that this node executes now.
  Set<String> executing() {
    return executing;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    String name = request.required("name");
    Policy policy = EnrichPolicies.all(metadata.current()).get(name);
    if (policy == null) {
      throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, "policy [" + name + "] does not exist");
    }
    return tasks.run(
        request,
        "cluster:admin/xpack/enrich/execute",
        "policy [" + name + "]",
        task -> new BackgroundTasks.Outcome(200, execute(name, policy)));
  }

  private ObjectNode execute(String name, Policy policy) throws Exception {
    if (!executing.add(name)) {
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "Could not obtain lock because policy execution for ["
              + name
              + "] is already in progress.");
    }
    try {
      run(name, policy);
    } finally {
      executing.remove(name);
    }
    ObjectNode answer = Json.object();
    answer.putObject("status").put("phase", "COMPLETE");
    return answer;
  }

  private void run(String name, Policy policy) throws Exception {
    long now = clock.epochMillis();
    ObjectNode field = EnrichMapping.matchField(metadata.current(), policy);
    // No template is for it, whatever names it is for.
    IndexMetadata index =
        creation.createAs(
            EnrichPolicies.index(name, now),
            new TreeMap<>(Map.of("index.hidden", "true", "index.number_of_shards", "1")),
            EnrichMapping.of(name, policy, field),
            Json.object());
    try {
      copy(policy, index);
      ShardId shard = new ShardId(index.id(), 0);
      shards.forceMerge(shard, 1, false);
      shards.flush(shard);
      metadata.update(
          "enrich-policy [" + name + "]", state -> placed(state, name, policy, index, now));
    } catch (Exception e) {
      metadata.update(
          "enrich-policy failed [" + name + "]", state -> state.withoutIndex(index.id().name()));
      throw e;
    }
  }

  private static ClusterState placed(
      ClusterState state, String name, Policy policy, IndexMetadata index, long now) {
    IndexMetadata made = state.indices().get(index.id().name());
    if (made == null || !policy.equals(EnrichPolicies.all(state).get(name))) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND, "policy [" + name + "] was deleted while it was executed");
    }
    IndexMetadata before = EnrichPolicies.current(state, name);
    if (before != null && EnrichPolicies.isYounger(before, name, now)) {
      return state.withoutIndex(index.id().name()); // another node began later, and was faster
    }
    SortedMap<String, Object> settings = new TreeMap<>(made.settings());
    settings.put("index.blocks.write", "true");
    SortedMap<String, ObjectNode> aliases = new TreeMap<>();
    aliases.put(EnrichPolicies.alias(name), Json.object());
    return EnrichPolicies.withoutIndices(state, name, now)
        .withIndex(made.withSettings(settings).withAliases(aliases));
  }

  private void copy(Policy policy, IndexMetadata index) throws Exception {
    ObjectNode body = Json.object();
    ObjectNode source = body.putObject("source");
    policy.indices().forEach(source.putArray("index")::add);
    ArrayNode fields = source.putArray("_source").add(policy.matchField());
    policy.enrichFields().forEach(fields::add);
    if (policy.query() != null) {
      source.set("query", policy.query());
    }
    body.putObject("dest").put("index", index.id().name()).put("op_type", "create");
    ApiRequest request =
        new ApiRequest(
            Verb.POST,
            "/_reindex",
            Map.of(),
            Map.of("refresh", "true"),
            HeaderValues.NONE,
            RequestBody.of(Json.bytes(body)),
            null,
            () -> false);
    try (TokenBuffer buffer = new TokenBuffer(Json.MAPPER, false)) {
      if (reindex.renamed(request).content() instanceof Answer.Content.Structured structured) {
        structured.writer().write(buffer);
      }
      JsonNode done = Json.MAPPER.readTree(buffer.asParser());
      if (!done.path("failures").isEmpty()) {
        throw new Refusal(
            ErrorType.ILLEGAL_STATE_OF_REQUEST,
            "documents of the policy's indices were refused: " + done.path("failures").get(0));
      }
    }
  }

  /// What the index of a policy is mapped as.
  static final class EnrichMapping {
    private EnrichMapping() {}

    /// The type of the match field: of a range the one that all source indices agree on.
    static ObjectNode matchField(ClusterState state, Policy policy) {
      ObjectNode found = null;
      for (IndexMetadata index :
          IndexExpression.resolve(
              state, String.join(",", policy.indices()), IndexExpression.Options.CHANGE)) {
        ObjectNode type = type(index.mapping(), policy.matchField());
        if (type == null) {
          throw Refusal.badArgument(
              "Could not find mapped field ["
                  + policy.matchField()
                  + "] in index ["
                  + index.id().name()
                  + "]");
        }
        if (found != null && policy.type().equals("range") && !found.equals(type)) {
          throw Refusal.badArgument(
              "Multiple distinct mapping types for field '" + policy.matchField() + "'");
        }
        found = type;
      }
      if (found == null) {
        throw Refusal.indexNotFound(String.join(",", policy.indices()));
      }
      String type = found.path("type").asText("object");
      return switch (policy.type()) {
        case "geo_match" -> Json.object().put("type", "geo_shape");
        case "range" -> {
          if (!type.endsWith("_range")) {
            throw Refusal.badArgument(
                "Field '"
                    + policy.matchField()
                    + "' has type ["
                    + type
                    + "] which doesn't appear to be a range type");
          }
          yield found;
        }
        default -> Json.object().put("type", "keyword").put("doc_values", false);
      };
    }

    @org.jspecify.annotations.Nullable
    private static ObjectNode type(ObjectNode mapping, String field) {
      JsonNode at = mapping;
      for (String part : field.split("\\.")) {
        JsonNode child = at.path("properties").path(part);
        at = child.isMissingNode() ? at.path("fields").path(part) : child;
      }
      return at instanceof ObjectNode found ? found.deepCopy() : null;
    }

    static ObjectNode of(String name, Policy policy, ObjectNode field) {
      ObjectNode mapping = Json.object().put("dynamic", false);
      ObjectNode at = mapping;
      for (String part : policy.matchField().split("\\.")) {
        at = at.putObject("properties").putObject(part);
      }
      at.setAll(field);
      mapping
          .putObject("_meta")
          .put("enrich_policy_name", name)
          .put("enrich_match_field", policy.matchField())
          .put("enrich_policy_type", policy.type());
      return mapping;
    }
  }
}
