package dev.holdfast.api.ilm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.template.BuiltInDefinitions;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The lifecycle policies of a cluster state, and whether they are followed: its custom
/// `lifecycle_policies`, `{"mode", "policies": {name: {"policy", "version",
/// "modified_date_millis"}}}`.
final class StoredPolicies {
  private static final String CUSTOM = "lifecycle_policies";

  /// Those that are always there; one that is put under their names stands before them.
  private static final BuiltInDefinitions BUILT_IN =
      BuiltInDefinitions.of("/dev/holdfast/api/ilm/built-in-policies.json");

  private StoredPolicies() {}

  /// Whether policies are followed.
  enum Mode {
    RUNNING,
    /// What cannot be left half done goes on.
    STOPPING,
    STOPPED
  }

  /// A policy with what is kept beside it.
  ///
  /// @param version grows with each change
  record Stored(LifecyclePolicy policy, int version, long modifiedMillis) {
    /// What an index keeps of a phase when it comes to it.
    ObjectNode phaseExecution(String name, String phase) {
      ObjectNode json = Json.object().put("policy", name);
      json.set("phase_definition", policy.phase(phase));
      return json.put("version", version).put("modified_date_in_millis", modifiedMillis);
    }
  }

  static SortedMap<String, Stored> all(ClusterState state) {
    SortedMap<String, Stored> all = new TreeMap<>();
    BUILT_IN.all().forEach((name, one) -> all.put(name, stored(one)));
    kept(state)
        .path("policies")
        .properties()
        .forEach(one -> all.put(one.getKey(), stored(one.getValue())));
    return all;
  }

  static @Nullable Stored find(ClusterState state, String name) {
    JsonNode own = kept(state).path("policies").get(name);
    JsonNode one = own == null ? BUILT_IN.all().get(name) : own;
    return one == null ? null : stored(one);
  }

  private static Stored stored(JsonNode one) {
    return new Stored(
        new LifecyclePolicy((ObjectNode) one.path("policy")),
        one.path("version").asInt(),
        one.path("modified_date_millis").asLong());
  }

  /// A state with a policy in the place of one of its name.
  static ClusterState with(
      ClusterState state, String name, LifecyclePolicy policy, long nowMillis) {
    Stored before = find(state, name);
    if (before != null && before.policy().equals(policy)) {
      return state;
    }
    ObjectNode changed = kept(state).deepCopy();
    ObjectNode one = changed.withObjectProperty("policies").putObject(name);
    one.set("policy", policy.json());
    one.put("version", before == null ? 1 : before.version() + 1);
    one.put("modified_date_millis", nowMillis);
    return state.withCustom(CUSTOM, changed);
  }

  /// Whether a policy is there when nobody has put one of that name.
  static boolean isBuiltIn(String name) {
    return BUILT_IN.all().containsKey(name);
  }

  static ClusterState without(ClusterState state, String name) {
    if (!kept(state).path("policies").has(name)) {
      return state;
    }
    ObjectNode changed = kept(state).deepCopy();
    changed.withObjectProperty("policies").remove(name);
    return state.withCustom(CUSTOM, changed);
  }

  static Mode mode(ClusterState state) {
    String mode = kept(state).path("mode").asText(Mode.RUNNING.name());
    return Mode.valueOf(mode);
  }

  static ClusterState with(ClusterState state, Mode mode) {
    return mode(state) == mode
        ? state
        : state.withCustom(CUSTOM, kept(state).deepCopy().put("mode", mode.name()));
  }

  private static ObjectNode kept(ClusterState state) {
    return state.customs().get(CUSTOM) instanceof ObjectNode object ? object : Json.object();
  }
}
