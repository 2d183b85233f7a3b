package dev.holdfast.api.ilm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import java.util.HashMap;
import java.util.Map;

/// How many lifecycle policies there are, what they do and how many indices follow each.
public final class LifecycleUsage {
  private LifecycleUsage() {}

  /// `{"policy_count", "policy_stats": [{"phases", "indices_managed"}]}`.
  public static ObjectNode of(ClusterState state) {
    Map<String, Integer> managed = new HashMap<>();
    for (var index : state.indices().values()) {
      managed.merge(String.valueOf(LifecycleSettings.of(index).policy()), 1, Integer::sum);
    }
    var policies = StoredPolicies.all(state);
    ObjectNode json = Json.object().put("policy_count", policies.size());
    var stats = json.putArray("policy_stats");
    policies.forEach((name, stored) -> {
      ObjectNode one = stats.addObject();
      ObjectNode phases = one.putObject("phases");
      for (String phase : stored.policy().phases()) {
        ObjectNode shown = phases.putObject(phase);
        shown.put("min_age", stored.policy().minAge(phase).toMillis());
        stored.policy().actions(phase).forEach(shown.putArray("actions")::add);
      }
      one.put("indices_managed", managed.getOrDefault(name, 0));
    });
    return json;
  }
}
