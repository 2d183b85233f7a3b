package dev.holdfast.api.slm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The snapshot policies of a cluster state, what they did, and whether they are followed: its
/// custom `snapshot_policies`, `{"mode", "since_millis", "policies": {id: …}, "retention": {…}}`.
public final class StoredSnapshotPolicies {
  private static final String CUSTOM = "snapshot_policies";
  static final String STOPPED = "STOPPED";
  private static final String RUNNING = "RUNNING";

  private StoredSnapshotPolicies() {}

  /// A policy with what is kept beside it.
  ///
  /// @param kept `{"policy", "version", "modified_date_millis", "scheduled_millis"?,
  ///   "last_success"?, "last_failure"?, "failures_since_success"?, "running"?, "stats"?}`
  record Stored(SnapshotPolicy policy, JsonNode kept) {
    int version() {
      return kept.path("version").asInt();
    }

    long modifiedMillis() {
      return kept.path("modified_date_millis").asLong();
    }

    /// When it last ran because it was due; 0: never.
    long scheduledMillis() {
      return kept.path("scheduled_millis").asLong();
    }

    /// The snapshot that is being made: `{"name", "node", "start_time_millis"}`.
    @Nullable JsonNode running() {
      return kept.get("running");
    }

    /// How often it did what.
    int stat(String name) {
      return kept.path("stats").path(name).asInt();
    }

    int failuresSinceSuccess() {
      return kept.path("failures_since_success").asInt();
    }
  }

  static SortedMap<String, Stored> all(ClusterState state) {
    SortedMap<String, Stored> all = new TreeMap<>();
    kept(state)
        .path("policies")
        .properties()
        .forEach(one -> all.put(one.getKey(), stored(one.getKey(), one.getValue())));
    return all;
  }

  static @Nullable Stored find(ClusterState state, String id) {
    JsonNode one = kept(state).path("policies").get(id);
    return one == null ? null : stored(id, one);
  }

  private static Stored stored(String id, JsonNode one) {
    return new Stored(new SnapshotPolicy(id, (ObjectNode) one.path("policy")), one);
  }

  /// Whether there is a policy of that name.
  public static boolean contains(ClusterState state, String id) {
    return find(state, id) != null;
  }

  /// How many there are.
  public static int count(ClusterState state) {
    return kept(state).path("policies").size();
  }

  /// When the last snapshot that a policy made whole was begun, epoch milliseconds; 0: it made
  /// none.
  public static long lastSuccessMillis(ClusterState state, String id) {
    return kept(state).path("policies").path(id).path("last_success").path("start_time").asLong();
  }

  /// A state with a policy in the place of one of its name, whose past it keeps.
  static ClusterState with(ClusterState state, SnapshotPolicy policy, long nowMillis) {
    Stored before = find(state, policy.id());
    if (before != null && before.policy().equals(policy)) {
      return state;
    }
    ObjectNode changed = kept(state).deepCopy();
    ObjectNode one = changed.withObjectProperty("policies").withObjectProperty(policy.id());
    one.set("policy", policy.json());
    one.put("version", before == null ? 1 : before.version() + 1);
    one.put("modified_date_millis", nowMillis);
    return state.withCustom(CUSTOM, changed);
  }

  static ClusterState without(ClusterState state, String id) {
    ObjectNode changed = kept(state).deepCopy();
    changed.withObjectProperty("policies").remove(id);
    return state.withCustom(CUSTOM, changed);
  }

  /// A state with what a policy keeps changed; the same when the policy is gone.
  static ClusterState changed(ClusterState state, String id, Consumer<ObjectNode> change) {
    if (find(state, id) == null) {
      return state;
    }
    ObjectNode changed = kept(state).deepCopy();
    change.accept(changed.withObjectProperty("policies").withObjectProperty(id));
    return state.withCustom(CUSTOM, changed);
  }

  /// One more in a count.
  static void count(ObjectNode of, String name) {
    of.put(name, of.path(name).asInt() + 1);
  }

  /// What runs of the retention did: `{"runs", "failed", "timed_out", "millis", "ran_millis"}`.
  static JsonNode retention(ClusterState state) {
    return kept(state).path("retention");
  }

  static ClusterState withRetention(ClusterState state, Consumer<ObjectNode> change) {
    ObjectNode changed = kept(state).deepCopy();
    change.accept(changed.withObjectProperty("retention"));
    return state.withCustom(CUSTOM, changed);
  }

  /// `RUNNING` or `STOPPED`: what runs when policies are stopped goes on.
  static String mode(ClusterState state) {
    return kept(state).path("mode").asText(RUNNING);
  }

  /// Since when policies have been followed again; 0: always.
  static long sinceMillis(ClusterState state) {
    return kept(state).path("since_millis").asLong();
  }

  static ClusterState with(ClusterState state, boolean isRunning, long nowMillis) {
    String mode = isRunning ? RUNNING : STOPPED;
    return mode(state).equals(mode)
        ? state
        : state.withCustom(
            CUSTOM, kept(state).deepCopy().put("mode", mode).put("since_millis", nowMillis));
  }

  private static ObjectNode kept(ClusterState state) {
    return state.customs().get(CUSTOM) instanceof ObjectNode object ? object : Json.object();
  }
}
