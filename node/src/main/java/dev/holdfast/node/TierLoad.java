package dev.holdfast.node;

import dev.holdfast.clusterstate.Load;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.ShardLoad;
import dev.holdfast.indexing.IndexingTier;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The load of this process's indexing tier, which opens after the process is a member.
final class TierLoad implements Load {
  private volatile @Nullable IndexingTier tier;

  void of(@Nullable IndexingTier opened) {
    tier = opened;
  }

  @Override
  public Map<ShardId, ShardLoad> now() {
    IndexingTier opened = tier;
    return opened == null ? Map.of() : opened.loads();
  }
}
