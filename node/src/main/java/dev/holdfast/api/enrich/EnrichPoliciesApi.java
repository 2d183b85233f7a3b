package dev.holdfast.api.enrich;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.enrich.EnrichPolicies.Policy;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.IndexNameRules;
import dev.holdfast.api.ingest.StoredPipelines;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/// `GET|PUT|DELETE /_enrich/policy/{name}`.
public final class EnrichPoliciesApi {
  private final Metadata metadata;

  public EnrichPoliciesApi(Metadata metadata) {
    this.metadata = metadata;
  }

  public Answer put(ApiRequest request) throws InterruptedException {
    String name = request.required("name");
    IndexNameRules.requireIndexName(name);
    Policy policy = Policy.read(request.body().kept());
    metadata.update(
        "put-enrich-policy [" + name + "]",
        state -> {
          SortedMap<String, Policy> all = EnrichPolicies.all(state);
          if (all.containsKey(name)) {
            throw new Refusal(
                ErrorType.RESOURCE_ALREADY_EXISTS, "policy [" + name + "] already exists");
          }
          var _ =
              IndexExpression.resolve(
                  state, String.join(",", policy.indices()), IndexExpression.Options.CHANGE);
          all.put(name, policy);
          return EnrichPolicies.with(state, all);
        });
    return Answer.acknowledged();
  }

  public Answer get(ApiRequest request) {
    List<String> wanted = request.list("name");
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("policies");
    EnrichPolicies.all(metadata.current())
        .forEach((name, policy) -> {
          if (wanted.isEmpty() || wanted.contains(name)) {
            ObjectNode config = policy.json();
            ObjectNode named = Json.object().put("name", name);
            named.setAll((ObjectNode) config.path(policy.type()));
            config.set(policy.type(), named);
            list.addObject().set("config", config);
          }
        });
    return Answer.of(200, answer);
  }

  public Answer delete(ApiRequest request) throws InterruptedException {
    String name = request.required("name");
    metadata.update(
        "delete-enrich-policy [" + name + "]",
        state -> {
          SortedMap<String, Policy> all = EnrichPolicies.all(state);
          if (all.remove(name) == null) {
            throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, "policy [" + name + "] not found");
          }
          requireUnused(state, name);
          return EnrichPolicies.with(
              EnrichPolicies.withoutIndices(state, name, Long.MAX_VALUE), all);
        });
    return Answer.acknowledged();
  }

  private static void requireUnused(ClusterState state, String policy) {
    List<String> pipelines = new ArrayList<>();
    StoredPipelines.definitions(state)
        .forEach((id, definition) -> {
          if (names(definition, policy)) {
            pipelines.add(id);
          }
        });
    if (!pipelines.isEmpty()) {
      throw new Refusal(
          ErrorType.STATUS_CONFLICT,
          "Could not delete policy ["
              + policy
              + "] because a pipeline is referencing it "
              + pipelines);
    }
  }

  /// Whether an enrich processor of the policy stands anywhere in a definition: among processors,
  /// in handlers of failures, inside of `foreach`.
  private static boolean names(JsonNode within, String policy) {
    if (within.path("enrich").path("policy_name").asText("").equals(policy)) {
      return true;
    }
    for (JsonNode child : within) {
      if (names(child, policy)) {
        return true;
      }
    }
    return false;
  }
}
