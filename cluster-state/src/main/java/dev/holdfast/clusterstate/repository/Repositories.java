package dev.holdfast.clusterstate.repository;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.SortedMap;
import java.util.TreeMap;

/// The repositories of a cluster state, kept as its custom `repositories`: an object by name.
public final class Repositories {
  private static final String CUSTOM = "repositories";

  private Repositories() {}

  /// All, by name.
  public static SortedMap<String, Repository> all(ClusterState state) {
    SortedMap<String, Repository> all = new TreeMap<>();
    kept(state)
        .properties()
        .forEach(one -> all.put(one.getKey(), Repository.read(one.getKey(), one.getValue())));
    return all;
  }

  /// @throws Refusal `repository_missing_exception` when there is none of that name
  public static Repository of(ClusterState state, String name) {
    JsonNode found = kept(state).get(name);
    if (found == null) {
      throw missing(name);
    }
    return Repository.read(name, found);
  }

  /// The refusal of a name that no repository has.
  public static Refusal missing(String name) {
    return new Refusal(ErrorType.REPOSITORY_MISSING, "[" + name + "] missing");
  }

  /// A state with this one, in place of one of its name.
  public static ClusterState with(ClusterState state, Repository repository) {
    ObjectNode changed = kept(state).deepCopy();
    changed.set(repository.name(), repository.json());
    return changed.equals(kept(state)) ? state : state.withCustom(CUSTOM, changed);
  }

  /// A state without one; what lies in it stays.
  public static ClusterState without(ClusterState state, String name) {
    ObjectNode changed = kept(state).deepCopy();
    changed.remove(name);
    return changed.isEmpty() ? state.withoutCustom(CUSTOM) : state.withCustom(CUSTOM, changed);
  }

  private static ObjectNode kept(ClusterState state) {
    return state.customs().get(CUSTOM) instanceof ObjectNode object ? object : Json.object();
  }
}
