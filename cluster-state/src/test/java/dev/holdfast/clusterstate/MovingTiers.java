package dev.holdfast.clusterstate;

import dev.holdfast.clusterstate.TestCluster.TestMember;
import dev.holdfast.clusterstate.allocation.IndexingAllocation;
import java.util.List;
import java.util.Map;

/// What the tiers of a node do when the state says so: hand shards over, start copies and give them
/// up.
public final class MovingTiers {
  private MovingTiers() {}

  public static void follow(TestCluster cluster, TestMember member) {
    String self = member.node.nodeEphemeralId();
    member.node.listen((before, now) -> {
      if (!step(now, self).equals(now)) {
        var _ =
            cluster
                .world
                .tasks()
                .start("tiers", () -> member.node.update("moved", state -> step(state, self)));
      }
    });
  }

  public static ClusterState step(ClusterState state, String self) {
    ClusterState moved = state;
    for (IndexMetadata index : state.indices().values()) {
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        ShardAssignment assignment = state.assignment(shard);
        if (assignment.owner().equals(self) && !assignment.target().isEmpty()) {
          assignment = assignment.withOwner(assignment.target());
          moved = IndexingAllocation.withNextTerm(moved, shard);
        }
        for (Map.Entry<String, ShardAssignment.Copy> copy :
            List.copyOf(assignment.copies().entrySet())) {
          if (copy.getKey().equals(self)) {
            assignment =
                copy.getValue() == ShardAssignment.Copy.LEAVING
                    ? assignment.withoutCopy(self)
                    : assignment.withCopy(self, ShardAssignment.Copy.STARTED);
          }
        }
        moved = moved.withAssignment(shard, assignment);
      }
    }
    return moved.equals(state) ? state : moved;
  }
}
