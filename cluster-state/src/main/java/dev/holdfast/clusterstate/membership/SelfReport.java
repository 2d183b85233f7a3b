package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.allocation.ShardLoad;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/// What this node tells its leader of itself; asked with every beat.
public interface SelfReport {
  SelfReport NOTHING =
      new SelfReport() {
        @Override
        public Map<ShardId, ShardLoad> loads() {
          return Map.of();
        }

        @Override
        public Set<ShardId> open() {
          return Set.of();
        }

        @Override
        public SortedSet<String> unreached() {
          return Collections.emptySortedSet();
        }
      };

  /// How busy its shards are: what the leader weighs them by. The shards that this node indexes
  /// now; those of which nothing is known may be left out.
  Map<ShardId, ShardLoad> loads();

  /// The shards that this node indexes and has open: who takes one from it opens it at once. A
  /// hollow one stays hollow there until somebody needs it.
  Set<ShardId> open();

  /// Members that this node calls in vain, by ephemeral id.
  SortedSet<String> unreached();
}
