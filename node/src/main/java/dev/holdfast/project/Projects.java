package dev.holdfast.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which projects there are, and of which the store may still hold something: as the state of the
/// cluster says it.
public final class Projects {
  /// Objects by name.
  private static final String CUSTOM = "projects";

  /// When each was deleted, in epoch milliseconds, by the beginning of its keys.
  private static final String DELETED = "deleted_projects";

  private Projects() {}

  public static SortedMap<String, Project> all(ClusterState state) {
    SortedMap<String, Project> all = new TreeMap<>();
    for (Map.Entry<String, JsonNode> one : members(state, CUSTOM).properties()) {
      all.put(one.getKey(), Project.of(one.getKey(), one.getValue()));
    }
    return Collections.unmodifiableSortedMap(all);
  }

  public static @Nullable Project find(ClusterState state, String name) {
    JsonNode kept = state.customs().get(CUSTOM);
    JsonNode found = kept == null ? null : kept.get(name);
    return found == null ? null : Project.of(name, found);
  }

  /// With it in place of what has its name.
  public static ClusterState with(ClusterState state, Project project) {
    ObjectNode changed = members(state, CUSTOM).deepCopy();
    changed.set(project.name(), project.json());
    return state.withCustom(CUSTOM, changed);
  }

  /// Without it; its objects may go.
  public static ClusterState without(ClusterState state, Project project, long nowMillis) {
    ObjectNode left = members(state, CUSTOM).deepCopy();
    left.remove(project.name());
    ObjectNode deleted = members(state, DELETED).deepCopy();
    deleted.put(project.prefix(), nowMillis);
    return state.withCustom(CUSTOM, left).withCustom(DELETED, deleted);
  }

  /// When those were deleted of which the store may still hold something, by the beginning of their
  /// keys.
  public static SortedMap<String, Long> deleted(ClusterState state) {
    SortedMap<String, Long> deleted = new TreeMap<>();
    members(state, DELETED)
        .properties()
        .forEach(one -> deleted.put(one.getKey(), one.getValue().asLong()));
    return deleted;
  }

  /// The store holds nothing of it any more.
  public static ClusterState gone(ClusterState state, String prefix) {
    ObjectNode left = members(state, DELETED).deepCopy();
    left.remove(prefix);
    return state.withCustom(DELETED, left);
  }

  private static ObjectNode members(ClusterState state, String custom) {
    return state.customs().get(custom) instanceof ObjectNode kept ? kept : Json.object();
  }
}
