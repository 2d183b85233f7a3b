package dev.holdfast.clusterstate.allocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What allocation knows of loads, and of who reaches whom, beside the state.
///
/// @param shards by [LoadReport#key]; those that are not named have none
/// @param heard members that have said how busy they are; null when nobody is asked
/// @param unreached by member, those that it calls in vain although the leader hears them
/// @param resting uuids of indices of which no shard is to be moved for balance now
public record AllocationInputs(
    SortedMap<String, ShardLoad> shards,
    @Nullable SortedSet<String> heard,
    SortedMap<String, SortedSet<String>> unreached,
    SortedSet<String> resting) {
  /// Shards are weighed by their number alone.
  public static final AllocationInputs NONE =
      new AllocationInputs(new TreeMap<>(), null, new TreeMap<>());

  public AllocationInputs {
    shards = Collections.unmodifiableSortedMap(new TreeMap<>(shards));
    heard = heard == null ? null : Collections.unmodifiableSortedSet(new TreeSet<>(heard));
    unreached = Collections.unmodifiableSortedMap(new TreeMap<>(unreached));
    resting = Collections.unmodifiableSortedSet(new TreeSet<>(resting));
  }

  /// Of a time at which any shard may move.
  public AllocationInputs(
      SortedMap<String, ShardLoad> shards,
      @Nullable SortedSet<String> heard,
      SortedMap<String, SortedSet<String>> unreached) {
    this(shards, heard, unreached, new TreeSet<>());
  }

  boolean reaches(String from, String to) {
    SortedSet<String> inVain = unreached.get(from);
    return inVain == null || !inVain.contains(to);
  }

  ShardLoad of(ShardId shard) {
    return shards.isEmpty()
        ? ShardLoad.NONE
        : shards.getOrDefault(LoadReport.key(shard), ShardLoad.NONE);
  }

  /// Whether enough is known to move shards for the sake of balance. A leader that has just begun
  /// would undo what the one before did for reasons that it has not heard yet.
  boolean isEnough(ClusterState state) {
    return heard == null
        || state.members().values().stream()
            .filter(member -> member.roles().contains(Role.INDEX))
            .allMatch(member -> heard.contains(member.id()));
  }
}
