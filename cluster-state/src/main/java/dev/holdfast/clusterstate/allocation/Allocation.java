package dev.holdfast.clusterstate.allocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which member holds which shard: a pure function from a state, and what is known of loads, to a
/// state in which every shard of an open index has an owner in the indexing tier and its copies in
/// the search tier, as far as there are members for them. Applied again, it changes nothing (§2.2).
///
/// What nobody holds is given at once; what is held moves little by little: a move of an indexing
/// shard costs it a pause, a move of a search copy costs reads. Balance is that all members are
/// equally full for their heaps: see [MemberLoads].
public final class Allocation {
  private Allocation() {}

  /// Whether `next` could find something to do that it did not find in `before`.
  public static boolean isDue(ClusterState before, ClusterState now) {
    return !before.members().equals(now.members())
        || !before.assignments().equals(now.assignments())
        || hasOtherShards(before, now);
  }

  @SuppressWarnings("ReferenceEquality") // states share the metadata of indices that did not change
  private static boolean hasOtherShards(ClusterState before, ClusterState now) {
    if (before.indices().size() != now.indices().size()) {
      return true;
    }
    for (IndexMetadata index : now.indices().values()) {
      IndexMetadata known = before.indices().get(index.id().name());
      if (known != index && (known == null || !shape(known).equals(shape(index)))) {
        return true;
      }
    }
    return false;
  }

  private static List<Object> shape(IndexMetadata index) {
    return List.of(index.id(), index.isOpen(), index.shards(), copiesWanted(index));
  }

  public static ClusterState next(ClusterState state, AllocationInputs figures) {
    ClusterState cleaned = withoutTheGone(state);
    ClusterState owned = IndexingAllocation.next(cleaned, figures);
    return SearchAllocation.next(owned, figures);
  }

  /// `number_of_replicas` is the number of search copies; there is always one, or nothing could be
  /// searched.
  static int copiesWanted(IndexMetadata index) {
    try {
      String copies = index.setting("index.number_of_replicas", "1");
      return copies.equals("0") || copies.equals("1") ? 1 : Math.max(1, Integer.parseInt(copies));
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  /// Forgets members that are no more, and where shards of closed and deleted indices were.
  private static ClusterState withoutTheGone(ClusterState state) {
    Map<ShardId, ShardAssignment> cleaned = new LinkedHashMap<>();
    for (IndexMetadata index : state.indices().values()) {
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        ShardAssignment now = state.assignment(shard);
        ShardAssignment left = index.isOpen() ? left(state, now) : ShardAssignment.NONE;
        if (!left.equals(now)) {
          cleaned.put(shard, left);
        }
      }
    }
    return state.withAssignments(cleaned);
  }

  private static ShardAssignment left(ClusterState state, ShardAssignment assignment) {
    ShardAssignment left = assignment;
    String target = assignment.target();
    boolean isTargetGone =
        !target.isEmpty()
            && (!holds(state, target, Role.INDEX)
                || target.equals(assignment.owner())
                || !canTake(state, target));
    if (isTargetGone) {
      left = left.withTarget("");
    }
    if (!left.owner().isEmpty() && !holds(state, left.owner(), Role.INDEX)) {
      // A move that its owner did not live to finish ends where it was going.
      left = new ShardAssignment("", left.target(), left.copies());
    }
    for (String member : assignment.copies().keySet()) {
      if (!holds(state, member, Role.SEARCH)) {
        left = left.withoutCopy(member);
      }
    }
    return left;
  }

  private static boolean holds(ClusterState state, String id, Role role) {
    Member member = state.members().get(id);
    return member != null && member.roles().contains(role);
  }

  private static boolean canTake(ClusterState state, String id) {
    return pool(state, Role.INDEX).stream().anyMatch(member -> member.id().equals(id));
  }

  /// Members of a tier that may be given shards: those that are not draining, or all when there are
  /// no others, since a shard on a member that is about to go is better than none.
  static List<Member> pool(ClusterState state, Role role) {
    List<Member> ofRole =
        state.members().values().stream().filter(m -> m.roles().contains(role)).toList();
    List<Member> staying = ofRole.stream().filter(m -> !m.isDraining()).toList();
    return staying.isEmpty() ? ofRole : staying;
  }

  public static List<ShardId> shards(ClusterState state) {
    List<ShardId> shards = new ArrayList<>();
    for (IndexMetadata index : state.indices().values()) {
      for (int number = 0; index.isOpen() && number < index.shards(); number++) {
        shards.add(new ShardId(index.id(), number));
      }
    }
    return shards;
  }
}
