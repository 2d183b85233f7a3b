package dev.holdfast.clusterstate.allocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Search copies: gives each shard as many as its index wants, on different members, and moves them
/// by starting one elsewhere before the old one goes. A member that the shard's owner cannot reach
/// is none for this shard, as if it drained: refreshes would wait for it in vain.
final class SearchAllocation {
  /// Copies that are started at a time for the sake of balance.
  static final int MOVES_MAX = 2;

  private final List<String> pool;
  private final AllocationInputs figures;

  /// As it will be when the moves under way are done.
  private final MemberLoads fullness;

  private final List<ShardId> shards;
  private final ClusterState state;
  private final Map<ShardId, ShardAssignment> changed = new LinkedHashMap<>();

  private SearchAllocation(ClusterState state, AllocationInputs figures) {
    List<Member> members = Allocation.pool(state, Role.SEARCH);
    this.state = state;
    this.pool = members.stream().map(Member::id).toList();
    this.figures = figures;
    this.shards = Allocation.shards(state);
    this.fullness = MemberLoads.of(state, shards, members, figures, false);
    for (ShardId shard : shards) {
      staying(shard).forEach(member -> fullness.add(member, shard));
    }
  }

  static ClusterState next(ClusterState state, AllocationInputs figures) {
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
    return state.withAssignments(allocation.changed);
  }

  private ShardAssignment of(ShardId shard) {
    ShardAssignment planned = changed.isEmpty() ? null : changed.get(shard);
    return planned == null ? state.assignment(shard) : planned;
  }

  private void assign(ShardId shard, ShardAssignment assignment) {
    changed.put(shard, assignment);
  }

  /// Members that may have a copy: those that its owner reaches, or all when it reaches none.
  private List<String> pool(ShardId shard) {
    if (figures.unreached().isEmpty()) {
      return pool;
    }
    String owner = of(shard).owner();
    List<String> reached = pool.stream().filter(member -> figures.reaches(owner, member)).toList();
    return reached.isEmpty() ? pool : reached;
  }

  private int wanted(ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    return index == null ? 0 : Math.min(Allocation.copiesWanted(index), pool(shard).size());
  }

  /// Copies that will stay: not those that leave, nor those on members that drain or are not
  /// reached.
  private List<String> staying(ShardId shard) {
    return held(shard, false);
  }

  private List<String> started(ShardId shard) {
    return held(shard, true);
  }

  /// Asked for each of thousands of shards, whenever one of them changes.
  private List<String> held(ShardId shard, boolean mustBeStarted) {
    List<String> mayHave = pool(shard);
    ShardAssignment assignment = of(shard);
    List<String> held = new ArrayList<>(assignment.copies().size());
    assignment
        .copies()
        .forEach((member, copy) -> {
          boolean isMeant = mustBeStarted ? copy == Copy.STARTED : assignment.hasCopy(member);
          if (isMeant && mayHave.contains(member)) {
            held.add(member);
          }
        });
    return held;
  }

  private void giveCopies(ShardId shard) {
    while (staying(shard).size() < wanted(shard)) {
      String member = fullness.bestToGive(pool(shard), of(shard).copies().keySet(), shard);
      if (member.isEmpty()) {
        return; // those left have copies that leave
      }
      fullness.add(member, shard);
      assign(shard, of(shard).withCopy(member, isSearched(shard) ? Copy.STARTING : Copy.STARTED));
    }
  }

  /// Where none is searched, none need be waited for: the first may be searched from now on, and
  /// asks the owner what is newest when it is.
  private boolean isSearched(ShardId shard) {
    return of(shard).copies().values().stream().anyMatch(copy -> copy != Copy.STARTING);
  }

  private void start(ShardId shard, String member) {
    fullness.add(member, shard);
    assign(shard, of(shard).withCopy(member, Copy.STARTING));
  }

  /// Once enough copies have started, those on members outside the pool go, and those too many, the
  /// one on the fullest member first. One that is still starting is the reason why there is one too
  /// many.
  private void takeSurplus(ShardId shard) {
    while (started(shard).size() > wanted(shard)) {
      stop(shard, fullness.bestToTake(started(shard), shard));
    }
    if (started(shard).size() == wanted(shard)) {
      for (String member : List.copyOf(of(shard).copies().keySet())) {
        if (!pool(shard).contains(member) && of(shard).hasCopy(member)) {
          stop(shard, member);
        }
      }
    }
  }

  private void stop(ShardId shard, String member) {
    fullness.remove(member, shard);
    boolean isSearched = of(shard).copies().get(member) == Copy.STARTED;
    assign(
        shard,
        isSearched ? of(shard).withCopy(member, Copy.LEAVING) : of(shard).withoutCopy(member));
  }

  private void balance() {
    if (pool.size() == 1) {
      return; // there is nowhere to move to
    }
    int moves = 0;
    for (ShardId shard : shards) {
      if (staying(shard).size() > wanted(shard) && !started(shard).isEmpty()) {
        // it goes when the other has started
        fullness.remove(fullness.bestToTake(started(shard), shard), shard);
        moves++;
      }
    }
    while (moves < MOVES_MAX) {
      Move best = null;
      for (ShardId shard : shards) {
        Move move = staying(shard).size() == wanted(shard) ? best(shard) : null;
        if (move != null && (best == null || move.gain > best.gain)) {
          best = move;
        }
      }
      if (best == null) {
        return;
      }
      start(best.shard, best.to);
      fullness.remove(best.from, best.shard); // as it will be
      moves++;
    }
  }

  private record Move(ShardId shard, String from, String to, double gain) {}

  /// The move of one of a shard's copies that gains most; null when none gains anything.
  private @Nullable Move best(ShardId shard) {
    String from = fullness.bestToTake(started(shard), shard);
    String to = fullness.bestToGive(pool(shard), of(shard).copies().keySet(), shard);
    if (from.isEmpty() || to.isEmpty()) {
      return null;
    }
    double gain = fullness.gain(from, to, shard);
    return gain > 0 ? new Move(shard, from, to, gain) : null;
  }
}
