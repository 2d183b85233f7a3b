package dev.holdfast.search.coordination;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;

/// Which shards an index stands for that a `lookup` field asks.
@FunctionalInterface
public interface LookupTargets {
  /// Names of indices, and nothing else.
  LookupTargets NAMES =
      (state, name) -> {
        IndexMetadata index = state.indices().get(name);
        if (index == null) {
          throw Refusal.indexNotFound(name);
        }
        List<ShardTarget> targets = new ArrayList<>();
        for (int number = 0; number < index.shards(); number++) {
          targets.add(ShardTarget.of(index, number));
        }
        return targets;
      };

  /// @param expression a name, an alias or a pattern
  /// @throws Refusal when there is no such index, or it cannot be searched
  List<ShardTarget> of(ClusterState state, String expression);
}
