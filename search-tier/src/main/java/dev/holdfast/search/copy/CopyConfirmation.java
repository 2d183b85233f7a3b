package dev.holdfast.search.copy;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Confirms copies that have started. A refresh waits for no copy that is starting while others can
/// be searched. So who has started asks once more what is newest, of an owner that knows it: what
/// was refreshed before is in that commit, and what is refreshed later the copy is told of.
final class CopyConfirmation {
  private static final Logger LOG = LoggerFactory.getLogger(CopyConfirmation.class);

  private final Metadata metadata;
  private final Ownership ownership;
  private final SearchCopyRecovery openings;

  /// Copies that have started and ask once more what is newest.
  private final Set<ShardId> confirming = ConcurrentHashMap.newKeySet();

  CopyConfirmation(Metadata metadata, Ownership ownership, SearchCopyRecovery openings) {
    this.metadata = metadata;
    this.ownership = ownership;
    this.openings = openings;
  }

  /// The cluster state says that the copy has started, or a search says that another's does.
  void started(ShardId shard, SearchShard copy) throws InterruptedException {
    if (!copy.isConfirmed() && confirming.add(shard)) {
      try {
        confirm(shard, copy);
      } finally {
        confirming.remove(shard);
      }
    }
  }

  private void confirm(ShardId shard, SearchShard copy) throws InterruptedException {
    int startings = copy.startings();
    ShardAssignment.Copy here =
        metadata.current().assignment(shard).copies().get(ownership.nodeEphemeralId());
    if (here == null || here == ShardAssignment.Copy.STARTING) {
      return;
    }
    try {
      openings.openNow(shard);
      copy.confirmed(startings);
    } catch (IOException | Refusal e) {
      LOG.debug("the newest commit can't be asked for yet [shard={}]", shard, e);
    }
  }
}
