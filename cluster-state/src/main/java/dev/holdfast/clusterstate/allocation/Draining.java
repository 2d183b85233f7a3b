package dev.holdfast.clusterstate.allocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// How a member gives its shards away before it stops.
public final class Draining {
  public static final Duration POLL = Duration.ofMillis(50);

  private Draining() {}

  /// The state in which that member drains; the same when there is no such member.
  public static ClusterState begin(ClusterState state, String id) {
    Member member = state.members().get(id);
    return member == null || member.isDraining() ? state : state.withMember(member.draining());
  }

  /// Whether another member could take a shard of this one: the last of its role need not wait.
  public static boolean isUseful(ClusterState state, String id) {
    Member self = state.members().get(id);
    return self != null
        && self.roles().stream().anyMatch(role -> hasOther(state, id, role))
        && !isDone(state, id);
  }

  /// Whether it holds nothing that another could hold.
  public static boolean isDone(ClusterState state, String id) {
    boolean mayOwn = hasOther(state, id, Role.INDEX);
    boolean maySearch = hasOther(state, id, Role.SEARCH);
    for (List<ShardAssignment> ofIndex : state.assignments().values()) {
      for (ShardAssignment assignment : ofIndex) {
        if ((mayOwn && assignment.owner().equals(id))
            || (maySearch && assignment.copies().containsKey(id))) {
          return false;
        }
      }
    }
    return true;
  }

  /// Whether the state knows that those shards are open where they are now, or that they are gone:
  /// no write waits for it to hear so.
  public static boolean areOpen(ClusterState state, Collection<ShardId> shards) {
    return shards.stream()
        .allMatch(shard -> UploadMarks.of(state, shard).primaryTerm() >= state.primaryTerm(shard));
  }

  private static boolean hasOther(ClusterState state, String id, Role role) {
    return state.members().values().stream()
        .anyMatch(m -> !m.id().equals(id) && m.roles().contains(role) && !m.isDraining());
  }
}
