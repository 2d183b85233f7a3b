package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `wait_for_snapshot`: the index is kept until a snapshot policy has run since it came here.
final class WaitForSnapshotAction implements LifecycleAction {
  /// Where the cluster state keeps snapshot policies, by name, with their last success.
  private static final String POLICIES = "snapshot_policies";

  @Override
  public String name() {
    return "wait_for_snapshot";
  }

  @Override
  public ObjectNode read(JsonObject body) {
    String policy = body.string("policy");
    if (policy == null || policy.isEmpty()) {
      throw Refusal.badArgument("policy name must be specified");
    }
    return Json.object().put("policy", policy);
  }

  @Override
  public List<Step> steps(ObjectNode body) {
    return List.of(
        new Step("wait-for-snapshot", context -> check(context, body.path("policy").asText())));
  }

  /// What it waits for is the point of the action: an index whose snapshot nobody makes stays.
  private static Outcome check(StepContext context, String policy) {
    JsonNode known = context.state().customs().get(POLICIES);
    JsonNode found = known == null ? null : known.get(policy);
    if (found == null) {
      throw Refusal.badArgument("configured policy '" + policy + "' not found");
    }
    long since = context.lifecycle().json().path("action_time").asLong();
    long started = found.path("last_success").path("start_time").asLong(0);
    return started >= since
        ? Outcome.done()
        : Outcome.waiting("waiting for policy '" + policy + "' to be executed");
  }
}
