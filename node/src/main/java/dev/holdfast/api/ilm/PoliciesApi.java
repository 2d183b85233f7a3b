package dev.holdfast.api.ilm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.time.Instant;
import java.util.List;

/// `GET|PUT|DELETE /_ilm/policy/{policy}`.
public final class PoliciesApi {
  private final Metadata metadata;
  private final Clock clock;

  public PoliciesApi(Metadata metadata, Clock clock) {
    this.metadata = metadata;
    this.clock = clock;
  }

  public Answer put(ApiRequest request) throws InterruptedException {
    String name = request.required("policy");
    LifecyclePolicy.requireName(name);
    LifecyclePolicy policy = LifecyclePolicy.read(request.body().kept());
    long now = clock.epochMillis();
    metadata.update(
        "put-lifecycle [" + name + "]", state -> StoredPolicies.with(state, name, policy, now));
    return policy.saysDownsamplingTimeout()
        ? Answer.acknowledged()
            .warn(
                "[wait_timeout] of [downsample] has no effect: an index is downsampled until it is"
                    + " done")
        : Answer.acknowledged();
  }

  public Answer get(ApiRequest request) {
    ClusterState state = metadata.current();
    List<String> wanted = request.list("policy");
    var all = StoredPolicies.all(state);
    for (String name : wanted) {
      if (name.indexOf('*') < 0 && !all.containsKey(name)) {
        throw missing(name);
      }
    }
    ObjectNode answer = Json.object();
    all.forEach((name, stored) -> {
      if (wanted.isEmpty() || wanted.stream().anyMatch(one -> Wildcards.matches(one, name))) {
        ObjectNode shown = answer.putObject(name).put("version", stored.version());
        shown.put("modified_date", Instant.ofEpochMilli(stored.modifiedMillis()).toString());
        shown.set("policy", stored.policy().json());
        shown.set("in_use_by", PolicyUse.of(state, name).json());
      }
    });
    return Answer.of(200, answer);
  }

  public Answer delete(ApiRequest request) throws InterruptedException {
    String name = request.required("policy");
    metadata.update(
        "delete-lifecycle [" + name + "]",
        state -> {
          if (StoredPolicies.find(state, name) == null) {
            throw missing(name);
          }
          if (!StoredPolicies.isBuiltIn(name)) {
            requireUnused(state, name);
          }
          return StoredPolicies.without(state, name);
        });
    return Answer.acknowledged();
  }

  private static void requireUnused(ClusterState state, String name) {
    List<String> indices = PolicyUse.of(state, name).indices();
    if (!indices.isEmpty()) {
      throw Refusal.badArgument(
          "Cannot delete policy [" + name + "]. It is in use by one or more indices: " + indices);
    }
  }

  private static Refusal missing(String name) {
    return new Refusal(ErrorType.RESOURCE_NOT_FOUND, "Lifecycle policy not found: " + name);
  }
}
