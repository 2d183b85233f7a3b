package dev.holdfast.node.wiring;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.allocation.ShardLoad;
import dev.holdfast.clusterstate.membership.SelfReport;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.routing.RemoteMembers;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/// The load of this process's indexing tier, and whom its tiers call in vain: both open after the
/// process is a member.
final class NodeReport implements SelfReport {
  private volatile @Nullable IndexingTier tier;
  private volatile @Nullable RemoteMembers peers;

  void of(@Nullable IndexingTier opened, RemoteMembers called) {
    tier = opened;
    peers = called;
  }

  @Override
  public Map<ShardId, ShardLoad> loads() {
    IndexingTier opened = tier;
    return opened == null ? Map.of() : opened.loads();
  }

  @Override
  public Set<ShardId> open() {
    IndexingTier opened = tier;
    return opened == null ? Set.of() : opened.openShardIds();
  }

  @Override
  public SortedSet<String> unreached() {
    RemoteMembers called = peers;
    return called == null ? Collections.emptySortedSet() : called.lost();
  }
}
