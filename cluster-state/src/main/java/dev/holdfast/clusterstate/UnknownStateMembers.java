package dev.holdfast.clusterstate;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// What a cluster state holds that only newer builds understand. Immutable.
///
/// @param state its own members
/// @param indices by index uuid
/// @param members by ephemeral id
/// @param assignments by index uuid, one a shard
public record UnknownStateMembers(
    UnknownJson state,
    SortedMap<String, UnknownJson> indices,
    SortedMap<String, UnknownJson> members,
    SortedMap<String, List<UnknownJson>> assignments) {
  static final UnknownStateMembers NONE =
      new UnknownStateMembers(UnknownJson.NONE, new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  public UnknownStateMembers {
    indices = present(indices, UnknownJson::isNone);
    members = present(members, UnknownJson::isNone);
    assignments = present(assignments, List::isEmpty);
  }

  private static <T> SortedMap<String, T> present(SortedMap<String, T> all, Predicate<T> isNone) {
    SortedMap<String, T> some = new TreeMap<>(all);
    some.values().removeIf(isNone);
    return Collections.unmodifiableSortedMap(some);
  }

  boolean isNone() {
    return state.isNone() && indices.isEmpty() && members.isEmpty() && assignments.isEmpty();
  }

  /// Without those of indices and members that are gone.
  UnknownStateMembers of(Set<String> uuids, Set<String> ids) {
    SortedMap<String, UnknownJson> ofIndices = new TreeMap<>(indices);
    ofIndices.keySet().retainAll(uuids);
    SortedMap<String, UnknownJson> ofMembers = new TreeMap<>(members);
    ofMembers.keySet().retainAll(ids);
    SortedMap<String, List<UnknownJson>> ofAssignments = new TreeMap<>(assignments);
    ofAssignments.keySet().retainAll(uuids);
    return new UnknownStateMembers(state, ofIndices, ofMembers, ofAssignments);
  }
}
