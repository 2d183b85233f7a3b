package dev.holdfast.clusterstate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Owners of indexing shards: gives away those without one, and plans moves.
final class IndexingAllocation {
  /// Moves at a time for the sake of balance.
  static final int MOVES_MAX = 2;

  /// Moves at a time away from members that want to stop.
  static final int DRAINS_MAX = 8;

  private final Map<String, Double> loads;
  private final List<String> pool;

  /// Shards that each member will own when the moves planned are done.
  private final SortedMap<String, Integer> counts = new TreeMap<>();

  private final Map<ShardId, ShardAssignment> assignments = new HashMap<>();
  private final List<ShardId> shards;
  private ClusterState state;
  private int moves;

  private IndexingAllocation(ClusterState state, Map<String, Double> loads) {
    this.state = state;
    this.loads = loads;
    this.pool = Allocation.pool(state, Role.INDEX).stream().map(Member::id).toList();
    this.shards = Allocation.shards(state);
    for (ShardId shard : shards) {
      ShardAssignment assignment = state.assignment(shard);
      assignments.put(shard, assignment);
      count(assignment.target().isEmpty() ? assignment.owner() : assignment.target(), 1);
      moves += assignment.owner().isEmpty() || assignment.target().isEmpty() ? 0 : 1;
    }
  }

  static ClusterState next(ClusterState state, Map<String, Double> loads) {
    IndexingAllocation allocation = new IndexingAllocation(state, loads);
    if (allocation.pool.isEmpty()) {
      return state;
    }
    allocation.giveOwners();
    allocation.drain();
    allocation.balance();
    return allocation.state;
  }

  private void count(String member, int change) {
    if (!member.isEmpty()) {
      counts.merge(member, change, Integer::sum);
    }
  }

  private ShardAssignment of(ShardId shard) {
    return assignments.getOrDefault(shard, ShardAssignment.NONE);
  }

  private void assign(ShardId shard, ShardAssignment assignment) {
    assignments.put(shard, assignment);
    state = state.withAssignment(shard, assignment);
  }

  private void giveOwners() {
    for (ShardId shard : shards) {
      ShardAssignment assignment = of(shard);
      if (assignment.owner().isEmpty()) {
        boolean wasMoving = !assignment.target().isEmpty();
        String owner = wasMoving ? assignment.target() : Allocation.least(pool, counts, loads);
        count(owner, wasMoving ? 0 : 1);
        assign(shard, assignment.withOwner(owner));
        state = withNextTerm(state, shard);
      }
    }
  }

  /// One owner, one term: what an earlier owner still writes lies under other names (§4).
  static ClusterState withNextTerm(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    if (index == null) {
      return state;
    }
    List<Long> terms = new ArrayList<>(index.primaryTerms());
    terms.set(shard.number(), terms.get(shard.number()) + 1);
    return state.withIndex(index.withPrimaryTerms(terms));
  }

  private void drain() {
    for (ShardId shard : shards) {
      ShardAssignment assignment = of(shard);
      if (moves < DRAINS_MAX
          && assignment.target().isEmpty()
          && !pool.contains(assignment.owner())) {
        move(shard, Allocation.least(pool, counts, loads));
      }
    }
  }

  private void balance() {
    while (moves < MOVES_MAX) {
      String most = Allocation.most(pool, counts, loads);
      String least = Allocation.least(pool, counts, loads);
      if (counts.getOrDefault(most, 0) - counts.getOrDefault(least, 0) <= 1) {
        return;
      }
      ShardId movable = firstThatStays(most);
      if (movable == null) {
        return;
      }
      move(movable, least);
    }
  }

  private @Nullable ShardId firstThatStays(String owner) {
    for (ShardId shard : shards) {
      if (of(shard).owner().equals(owner) && of(shard).target().isEmpty()) {
        return shard;
      }
    }
    return null;
  }

  private void move(ShardId shard, String target) {
    count(of(shard).owner(), -1);
    count(target, 1);
    assign(shard, of(shard).withTarget(target));
    moves++;
  }
}
