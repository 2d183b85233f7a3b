package dev.holdfast.clusterstate.allocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Owners of indexing shards: gives away those without one, and plans moves.
public final class IndexingAllocation {
  /// Moves at a time for the sake of balance.
  static final int MOVES_MAX = 2;

  /// Moves at a time away from members that want to stop.
  static final int DRAINS_MAX = 8;

  private final List<String> pool;

  /// As it will be when the moves planned are done.
  private final MemberLoads fullness;

  private final ClusterState state;
  private final AllocationInputs figures;
  private final List<ShardId> shards;
  private final Map<ShardId, ShardAssignment> changed = new LinkedHashMap<>();
  private final Set<ShardId> given = new LinkedHashSet<>();
  private final Set<IndexId> moving = new HashSet<>();
  private int moves;

  private IndexingAllocation(ClusterState state, AllocationInputs figures) {
    List<Member> members = Allocation.pool(state, Role.INDEX);
    this.state = state;
    this.figures = figures;
    this.pool = members.stream().map(Member::id).toList();
    this.shards = Allocation.shards(state);
    this.fullness = MemberLoads.of(state, shards, members, figures, true);
    for (ShardId shard : shards) {
      ShardAssignment assignment = state.assignment(shard);
      String holder = assignment.target().isEmpty() ? assignment.owner() : assignment.target();
      if (!holder.isEmpty()) {
        fullness.add(holder, shard);
      }
      if (!assignment.owner().isEmpty() && !assignment.target().isEmpty()) {
        moves++;
        moving.add(shard.index());
      }
    }
  }

  static ClusterState next(ClusterState state, AllocationInputs figures) {
    IndexingAllocation allocation = new IndexingAllocation(state, figures);
    if (allocation.pool.isEmpty()) {
      return state;
    }
    allocation.giveOwners();
    allocation.drain();
    if (figures.isEnough(state)) {
      allocation.balance();
    }
    return withNextTerms(state.withAssignments(allocation.changed), allocation.given);
  }

  private ShardAssignment of(ShardId shard) {
    ShardAssignment planned = changed.isEmpty() ? null : changed.get(shard);
    return planned == null ? state.assignment(shard) : planned;
  }

  private void assign(ShardId shard, ShardAssignment assignment) {
    changed.put(shard, assignment);
  }

  /// The heaviest first: the light ones fill what is left.
  private void giveOwners() {
    List<ShardId> ownerless = new ArrayList<>();
    for (ShardId shard : shards) {
      if (of(shard).owner().isEmpty()) {
        ownerless.add(shard);
      }
    }
    ownerless.sort(fullness.heaviestFirst());
    for (ShardId shard : ownerless) {
      String owner = of(shard).target();
      if (owner.isEmpty()) {
        owner = fullness.bestToGive(pool, Set.of(), shard);
        fullness.add(owner, shard);
      }
      assign(shard, of(shard).withOwner(owner));
      given.add(shard);
    }
  }

  /// One owner, one term: what an earlier owner still writes lies under other names (§4).
  public static ClusterState withNextTerm(ClusterState state, ShardId shard) {
    return withNextTerms(state, Set.of(shard));
  }

  private static ClusterState withNextTerms(ClusterState state, Set<ShardId> shards) {
    if (shards.isEmpty()) {
      return state;
    }
    SortedMap<String, IndexMetadata> indices = new TreeMap<>(state.indices());
    for (ShardId shard : shards) {
      IndexMetadata index = indices.get(shard.index().name());
      if (index != null) {
        List<Long> terms = new ArrayList<>(index.primaryTerms());
        terms.set(shard.number(), terms.get(shard.number()) + 1);
        indices.put(shard.index().name(), index.withPrimaryTerms(terms));
      }
    }
    return state.withIndices(indices);
  }

  private void drain() {
    for (ShardId shard : shards) {
      ShardAssignment assignment = of(shard);
      if (moves < DRAINS_MAX
          && assignment.target().isEmpty()
          && !pool.contains(assignment.owner())) {
        move(shard, fullness.bestToGive(pool, Set.of(), shard));
      }
    }
  }

  private void balance() {
    while (moves < MOVES_MAX && pool.size() > 1) {
      ShardId best = null;
      String target = "";
      double most = 0;
      for (ShardId shard : shards) {
        String owner = of(shard).owner();
        boolean stays = !of(shard).target().isEmpty() || rests(shard.index());
        String to = stays ? "" : fullness.bestToGive(pool, Set.of(owner), shard);
        double gain = to.isEmpty() ? 0 : fullness.gain(owner, to, shard);
        if (gain > most) {
          best = shard;
          target = to;
          most = gain;
        }
      }
      if (best == null) {
        return;
      }
      move(best, target);
    }
  }

  /// Whether writes to an index that is being split shall not meet another pause now: each shard
  /// that moves is one, and one after the other they move later.
  private boolean rests(IndexId index) {
    IndexMetadata known = state.indices().get(index.name());
    return figures.resting().contains(index.uuid())
        || (known != null && RestingIndices.isSplit(known) && moving.contains(index));
  }

  private void move(ShardId shard, String target) {
    fullness.remove(of(shard).owner(), shard);
    fullness.add(target, shard);
    assign(shard, of(shard).withTarget(target));
    moves++;
    moving.add(shard.index());
  }
}
