package dev.holdfast.search.choice;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/// Which copies of a shard a search asks, and in which order (`preference`).
///
/// @param shards numbers that are searched; empty for all
/// @param order how copies are ranked
/// @param names what `_only_nodes` or `_prefer_nodes` lists
/// @param start where in the row of copies the search begins
public record CopyChoice(List<Integer> shards, Order order, List<String> names, int start) {
  /// How copies are ranked.
  enum Order {
    IN_TURN,
    LOCAL_FIRST,
    LOCAL_ONLY,
    NODES_FIRST,
    NODES_ONLY
  }

  /// @param turn grows with each search
  /// @throws Refusal `illegal_argument_exception` for an unknown preference
  public static CopyChoice of(String preference, int turn) {
    List<Integer> shards = List.of();
    String rest = preference;
    if (rest.startsWith("_shards:")) {
      int bar = rest.indexOf('|');
      String listed = rest.substring("_shards:".length(), bar < 0 ? rest.length() : bar);
      try {
        shards = Arrays.stream(listed.split(",")).map(Integer::valueOf).toList();
      } catch (NumberFormatException e) {
        throw Refusal.badArgument("no Preference for [" + preference + "]");
      }
      rest = bar < 0 ? "" : rest.substring(bar + 1);
    }
    if (rest.equals("_local")) {
      return new CopyChoice(shards, Order.LOCAL_FIRST, List.of(), turn);
    }
    if (rest.equals("_only_local")) {
      return new CopyChoice(shards, Order.LOCAL_ONLY, List.of(), turn);
    }
    if (rest.startsWith("_only_nodes:")) {
      return new CopyChoice(shards, Order.NODES_ONLY, names(rest), turn);
    }
    if (rest.startsWith("_prefer_nodes:")) {
      return new CopyChoice(shards, Order.NODES_FIRST, names(rest), turn);
    }
    if (rest.startsWith("_")) {
      throw Refusal.badArgument("no Preference for [" + rest + "]");
    }
    return new CopyChoice(
        shards, Order.IN_TURN, List.of(), rest.isEmpty() ? turn : rest.hashCode());
  }

  private static List<String> names(String preference) {
    return List.of(preference.substring(preference.indexOf(':') + 1).split(","));
  }

  /// Any copies, but the same for the same name.
  static CopyChoice always(String name) {
    return new CopyChoice(List.of(), Order.IN_TURN, List.of(), name.hashCode());
  }

  public boolean isSearched(ShardId shard) {
    return shards.isEmpty() || shards.contains(shard.number());
  }

  /// Refuses a search that only nodes may answer that there are none of: no copy would ever be
  /// theirs.
  ///
  /// @param shard that is searched
  /// @throws Refusal `illegal_argument_exception`
  public void requireNodes(ClusterState state, ShardId shard) {
    if (order == Order.NODES_ONLY
        && state.members().keySet().stream().noneMatch(member -> isNamed(state, member))) {
      throw Refusal.badArgument(
          "no data nodes with criteria ["
              + String.join(",", names)
              + "] found for shard: "
              + shard);
    }
  }

  /// Members that hold a started copy, the one to ask first first.
  public List<String> copies(ClusterState state, ShardId shard, String self) {
    List<String> started = new ArrayList<>();
    state
        .assignment(shard)
        .copies()
        .forEach((member, copy) -> {
          if (copy == Copy.STARTED && state.members().containsKey(member)) {
            started.add(member);
          }
        });
    if (started.size() > 1) {
      java.util.Collections.rotate(started, -Math.floorMod(start, started.size()));
    }
    return switch (order) {
      case IN_TURN -> started;
      case LOCAL_FIRST -> first(started, self::equals);
      case LOCAL_ONLY -> started.stream().filter(self::equals).toList();
      case NODES_FIRST -> first(started, member -> isNamed(state, member));
      case NODES_ONLY -> started.stream().filter(member -> isNamed(state, member)).toList();
    };
  }

  private static List<String> first(List<String> members, Predicate<String> wanted) {
    List<String> ordered = new ArrayList<>(members.stream().filter(wanted).toList());
    members.stream().filter(wanted.negate()).forEach(ordered::add);
    return ordered;
  }

  private boolean isNamed(ClusterState state, String id) {
    Member member = state.members().get(id);
    for (String name : names) {
      if (Wildcards.matches(name, id)
          || (member != null && Wildcards.matches(name, member.name()))) {
        return true;
      }
    }
    return false;
  }
}
