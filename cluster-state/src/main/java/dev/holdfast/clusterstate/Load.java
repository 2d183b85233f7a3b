package dev.holdfast.clusterstate;

import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;

/// What this node tells its leader with every beat: how busy its shards are, and whom it does not
/// reach.
@FunctionalInterface
public interface Load {
  Load NONE = Map::of;

  /// The shards that this node indexes now; those of which nothing is known may be left out.
  Map<ShardId, ShardLoad> now();

  /// Members that this node calls in vain, by ephemeral id.
  default SortedSet<String> unreached() {
    return Collections.emptySortedSet();
  }
}
