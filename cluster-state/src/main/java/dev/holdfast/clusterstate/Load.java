package dev.holdfast.clusterstate;

import java.util.Map;

/// How busy this node's shards are: what the leader weighs them by. Asked with every beat.
@FunctionalInterface
public interface Load {
  Load NONE = Map::of;

  /// The shards that this node indexes now; those of which nothing is known may be left out.
  Map<ShardId, ShardLoad> now();
}
