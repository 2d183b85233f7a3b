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
record UnknownMembers(
    Unknown state,
    SortedMap<String, Unknown> indices,
    SortedMap<String, Unknown> members,
    SortedMap<String, List<Unknown>> assignments) {
  static final UnknownMembers NONE =
      new UnknownMembers(Unknown.NONE, new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  UnknownMembers {
    indices = present(indices, Unknown::isNone);
    members = present(members, Unknown::isNone);
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
  UnknownMembers of(Set<String> uuids, Set<String> ids) {
    SortedMap<String, Unknown> ofIndices = new TreeMap<>(indices);
    ofIndices.keySet().retainAll(uuids);
    SortedMap<String, Unknown> ofMembers = new TreeMap<>(members);
    ofMembers.keySet().retainAll(ids);
    SortedMap<String, List<Unknown>> ofAssignments = new TreeMap<>(assignments);
    ofAssignments.keySet().retainAll(uuids);
    return new UnknownMembers(state, ofIndices, ofMembers, ofAssignments);
  }
}
