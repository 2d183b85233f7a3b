package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.slm.StoredSnapshotPolicies;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `wait_for_snapshot`: the index is kept until a snapshot policy has run since it came here.
final class WaitForSnapshotAction implements LifecycleAction {
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
    if (!StoredSnapshotPolicies.contains(context.state(), policy)) {
      throw Refusal.badArgument("configured policy '" + policy + "' not found");
    }
    long since = context.lifecycle().json().path("action_time").asLong();
    long started = StoredSnapshotPolicies.lastSuccessMillis(context.state(), policy);
    return started >= since
        ? Outcome.done()
        : Outcome.waiting("waiting for policy '" + policy + "' to be executed");
  }
}
