package dev.holdfast.api.slm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.slm.StoredSnapshotPolicies.Stored;
import dev.holdfast.clusterstate.ClusterState;
import java.util.SortedMap;
import java.util.TreeMap;

/// `_health_report`'s indicator `slm`: whether policies are followed, and make the snapshots that
/// they are for.
public final class PolicyHealth {
  public static final String NAME = "slm";
  private static final String FAILURES_MAX = "slm.health.failed_snapshot_warn_threshold";
  private static final int FAILURES_MAX_BY_DEFAULT = 5;

  private PolicyHealth() {}

  /// Whether all is well.
  public static boolean isGreen(ClusterState state, long nowMillis) {
    return !isStopped(state) && unhealthy(state, nowMillis).isEmpty();
  }

  /// Policies and none of them followed.
  private static boolean isStopped(ClusterState state) {
    return StoredSnapshotPolicies.mode(state).equals(StoredSnapshotPolicies.STOPPED)
        && !StoredSnapshotPolicies.all(state).isEmpty();
  }

  /// By policy: how many runs have failed since one was well.
  private static SortedMap<String, Integer> unhealthy(ClusterState state, long nowMillis) {
    Object set = state.setting(FAILURES_MAX);
    int max = set == null ? FAILURES_MAX_BY_DEFAULT : Integer.parseInt(set.toString());
    SortedMap<String, Integer> unhealthy = new TreeMap<>();
    for (Stored stored : StoredSnapshotPolicies.all(state).values()) {
      String id = stored.policy().id();
      long within = stored.policy().unhealthyMillis();
      long last =
          Math.max(StoredSnapshotPolicies.lastSuccessMillis(state, id), stored.modifiedMillis());
      int failures = stored.failuresSinceSuccess();
      if (failures >= max || (within >= 0 && nowMillis - last > within)) {
        unhealthy.put(id, failures);
      }
    }
    return unhealthy;
  }

  /// Writes the indicator.
  public static void write(ObjectNode indicator, ClusterState state, long nowMillis) {
    int policies = StoredSnapshotPolicies.all(state).size();
    SortedMap<String, Integer> unhealthy = unhealthy(state, nowMillis);
    boolean isStopped = isStopped(state);
    indicator.put("status", isGreen(state, nowMillis) ? "green" : "yellow");
    indicator.put(
        "symptom",
        isStopped
            ? "There are snapshot policies, and none is followed."
            : !unhealthy.isEmpty()
                ? "Snapshot policies make no snapshots: " + unhealthy.size() + "."
                : policies == 0
                    ? "There are no snapshot policies."
                    : "Snapshot policies make their snapshots.");
    ObjectNode details = indicator.putObject("details");
    details.put("slm_status", StoredSnapshotPolicies.mode(state)).put("policies", policies);
    if (!unhealthy.isEmpty()) {
      ObjectNode named = details.putObject("unhealthy_policies").put("count", unhealthy.size());
      ObjectNode failures = named.putObject("invocations_since_last_success");
      unhealthy.forEach(failures::put);
    }
    if (isStopped || !unhealthy.isEmpty()) {
      diagnose(indicator, isStopped, unhealthy);
    }
  }

  private static void diagnose(
      ObjectNode indicator, boolean isStopped, SortedMap<String, Integer> unhealthy) {
    indicator
        .putArray("impacts")
        .addObject()
        .put("id", "holdfast:health:slm:impact:no_snapshots")
        .put("severity", isStopped ? 3 : 2)
        .put("description", "No new snapshots are made by these policies.")
        .putArray("impact_areas")
        .add("backup");
    ObjectNode one = indicator.putArray("diagnosis").addObject();
    one.put("id", "holdfast:health:slm:diagnosis:" + (isStopped ? "stopped" : "failing"));
    one.put("cause", isStopped ? "Policies were stopped." : "Their last runs failed.");
    one.put(
        "action",
        isStopped
            ? "Have them followed again: POST /_slm/start."
            : "See [last_failure] of GET /_slm/policy, mend what it says, and try: PUT"
                + " /_slm/policy/{policy_id}/_execute.");
    one.put("help_url", "docs/operating.md");
    ArrayNode named = one.putObject("affected_resources").putArray("slm_policies");
    unhealthy.keySet().forEach(named::add);
  }
}
