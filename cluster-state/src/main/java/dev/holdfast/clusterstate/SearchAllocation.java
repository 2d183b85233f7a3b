package dev.holdfast.clusterstate;

import dev.holdfast.clusterstate.ShardAssignment.Copy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Search copies: gives each shard as many as its index wants, on different members, and moves them
/// by starting one elsewhere before the old one goes.
final class SearchAllocation {
  /// Copies that are started at a time for the sake of balance.
  static final int MOVES_MAX = 2;

  private final Map<String, Double> loads;
  private final List<String> pool;

  /// Copies that each member will have when the moves under way are done.
  private final SortedMap<String, Integer> counts = new TreeMap<>();

  private final Map<ShardId, ShardAssignment> assignments = new HashMap<>();
  private final List<ShardId> shards;
  private ClusterState state;

  private SearchAllocation(ClusterState state, Map<String, Double> loads) {
    this.state = state;
    this.loads = loads;
    this.pool = Allocation.pool(state, Role.SEARCH).stream().map(Member::id).toList();
    this.shards = Allocation.shards(state);
    for (ShardId shard : shards) {
      assignments.put(shard, state.assignment(shard));
      state.assignment(shard).copies().keySet().forEach(member -> count(member, 1));
    }
  }

  static ClusterState next(ClusterState state, Map<String, Double> loads) {
    SearchAllocation allocation = new SearchAllocation(state, loads);
    if (allocation.pool.isEmpty()) {
      return state;
    }
    for (ShardId shard : allocation.shards) {
      allocation.giveCopies(shard);
      allocation.takeSurplus(shard);
    }
    allocation.balance();
    return allocation.state;
  }

  private void count(String member, int change) {
    counts.merge(member, change, Integer::sum);
  }

  private ShardAssignment of(ShardId shard) {
    return assignments.getOrDefault(shard, ShardAssignment.NONE);
  }

  private void assign(ShardId shard, ShardAssignment assignment) {
    assignments.put(shard, assignment);
    state = state.withAssignment(shard, assignment);
  }

  private int wanted(ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    return index == null ? 0 : Math.min(Allocation.copiesWanted(index), pool.size());
  }

  /// Copies that will stay: not those on members that drain.
  private List<String> staying(ShardId shard) {
    return of(shard).copies().keySet().stream().filter(pool::contains).toList();
  }

  private List<String> started(ShardId shard) {
    return staying(shard).stream()
        .filter(member -> of(shard).copies().get(member) == Copy.STARTED)
        .toList();
  }

  private void giveCopies(ShardId shard) {
    while (staying(shard).size() < wanted(shard)) {
      start(shard, Allocation.least(without(shard), counts, loads));
    }
  }

  private List<String> without(ShardId shard) {
    List<String> without = new ArrayList<>(pool);
    without.removeAll(of(shard).copies().keySet());
    return without;
  }

  private void start(ShardId shard, String member) {
    count(member, 1);
    assign(shard, of(shard).withCopy(member, Copy.STARTING));
  }

  /// Once enough copies have started, those on draining members go, and those too many, the one on
  /// the fullest member first. One that is still starting is the reason why there is one too many.
  private void takeSurplus(ShardId shard) {
    while (started(shard).size() > wanted(shard)) {
      stop(shard, Allocation.most(started(shard), counts, loads));
    }
    if (started(shard).size() == wanted(shard)) {
      for (String member : List.copyOf(of(shard).copies().keySet())) {
        if (!pool.contains(member)) {
          stop(shard, member);
        }
      }
    }
  }

  private void stop(ShardId shard, String member) {
    count(member, -1);
    assign(shard, of(shard).withoutCopy(member));
  }

  private void balance() {
    int moves = 0;
    for (ShardId shard : shards) {
      if (staying(shard).size() > wanted(shard) && !started(shard).isEmpty()) {
        count(Allocation.most(started(shard), counts, loads), -1); // it goes when the other started
        moves++;
      }
    }
    while (moves < MOVES_MAX) {
      String most = Allocation.most(pool, counts, loads);
      String least = Allocation.least(pool, counts, loads);
      ShardId movable = movable(most, least);
      if (counts.getOrDefault(most, 0) - counts.getOrDefault(least, 0) <= 1 || movable == null) {
        return;
      }
      start(movable, least);
      count(most, -1); // as it will be
      moves++;
    }
  }

  private @Nullable ShardId movable(String from, String to) {
    for (ShardId shard : shards) {
      ShardAssignment assignment = of(shard);
      if (assignment.copies().get(from) == Copy.STARTED
          && !assignment.copies().containsKey(to)
          && staying(shard).size() == wanted(shard)) {
        return shard;
      }
    }
    return null;
  }
}
