package dev.holdfast.api.cluster.health;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardAssignment.Copy;

/// How many search copies a shard lacks.
final class MissingCopies {
  private MissingCopies() {}

  /// Copies that are wanted, that there are members for, and that have not started.
  static int missing(ClusterState state, IndexMetadata index, ShardAssignment assignment) {
    int wanted = Math.max(1, Integer.parseInt(index.setting("index.number_of_replicas", "1")));
    int members =
        (int)
            state.members().values().stream()
                .filter(m -> m.roles().contains(Role.SEARCH) && !m.isDraining())
                .count();
    int started =
        (int) assignment.copies().values().stream().filter(c -> c == Copy.STARTED).count();
    return Math.max(0, Math.min(wanted, members) - started);
  }
}
