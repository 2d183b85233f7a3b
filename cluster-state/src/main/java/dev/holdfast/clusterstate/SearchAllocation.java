package dev.holdfast.clusterstate;

import dev.holdfast.clusterstate.ShardAssignment.Copy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Search copies: gives each shard as many as its index wants, on different members, and moves them
/// by starting one elsewhere before the old one goes.
final class SearchAllocation {
  /// Copies that are started at a time for the sake of balance.
  static final int MOVES_MAX = 2;

  private final List<String> pool;

  /// As it will be when the moves under way are done.
  private final Fullness fullness;

  private final Map<ShardId, ShardAssignment> assignments = new HashMap<>();
  private final List<ShardId> shards;
  private ClusterState state;

  private SearchAllocation(ClusterState state, Figures figures) {
    List<Member> members = Allocation.pool(state, Role.SEARCH);
    this.state = state;
    this.pool = members.stream().map(Member::id).toList();
    this.fullness = Fullness.of(state, members, figures, false);
    this.shards = Allocation.shards(state);
    for (ShardId shard : shards) {
      assignments.put(shard, state.assignment(shard));
      state.assignment(shard).copies().keySet().forEach(member -> fullness.add(member, shard));
    }
  }

  static ClusterState next(ClusterState state, Figures figures) {
    SearchAllocation allocation = new SearchAllocation(state, figures);
    if (allocation.pool.isEmpty()) {
      return state;
    }
    for (ShardId shard : allocation.shards) {
      allocation.giveCopies(shard);
      allocation.takeSurplus(shard);
    }
    if (figures.isEnough(state)) {
      allocation.balance();
    }
    return allocation.state;
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
      start(shard, fullness.bestToGive(without(shard), shard));
    }
  }

  private List<String> without(ShardId shard) {
    List<String> without = new ArrayList<>(pool);
    without.removeAll(of(shard).copies().keySet());
    return without;
  }

  private void start(ShardId shard, String member) {
    fullness.add(member, shard);
    assign(shard, of(shard).withCopy(member, Copy.STARTING));
  }

  /// Once enough copies have started, those on draining members go, and those too many, the one on
  /// the fullest member first. One that is still starting is the reason why there is one too many.
  private void takeSurplus(ShardId shard) {
    while (started(shard).size() > wanted(shard)) {
      stop(shard, fullness.bestToTake(started(shard), shard));
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
    fullness.remove(member, shard);
    assign(shard, of(shard).withoutCopy(member));
  }

  private void balance() {
    int moves = 0;
    for (ShardId shard : shards) {
      if (staying(shard).size() > wanted(shard) && !started(shard).isEmpty()) {
        // it goes when the other has started
        fullness.remove(fullness.bestToTake(started(shard), shard), shard);
        moves++;
      }
    }
    while (moves < MOVES_MAX) {
      List<String> fullestFirst = fullness.fullestFirst(pool);
      String emptiest = fullestFirst.getLast();
      ShardId best = null;
      String from = "";
      for (String fuller : fullestFirst) {
        if (best == null && fullness.differ(fuller, emptiest)) {
          best = best(fuller, emptiest);
          from = fuller;
        }
      }
      if (best == null) {
        return;
      }
      start(best, emptiest);
      fullness.remove(from, best); // as it will be
      moves++;
    }
  }

  private @Nullable ShardId best(String from, String to) {
    ShardId best = null;
    double least = Double.POSITIVE_INFINITY;
    for (ShardId shard : shards) {
      ShardAssignment assignment = of(shard);
      if (assignment.copies().get(from) == Copy.STARTED
          && !assignment.copies().containsKey(to)
          && staying(shard).size() == wanted(shard)) {
        double left = fullness.leftAfter(from, to, shard);
        if (left < least) {
          least = left;
          best = shard;
        }
      }
    }
    return best;
  }
}
