package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.lease.HeldLease;
import dev.holdfast.clusterstate.lease.Lease;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Members that this leader shut out (§5), in this order: it confirms them no more, then raises the
/// node-left generation of the lease, then fences their logs. Only then may the state forget them
/// and their shards go to others.
final class Evictions {
  private static final Logger LOG = LoggerFactory.getLogger(Evictions.class);

  /// So many are remembered, lest one joins again under the same name.
  private static final int REMEMBERED_MAX = 10_000;

  private final HeldLease lease;
  private final LogFence fence;
  private final Set<String> evicted = new LinkedHashSet<>();

  Evictions(HeldLease lease, LogFence fence) {
    this.lease = lease;
    this.fence = fence;
  }

  synchronized boolean has(String id) {
    return evicted.contains(id);
  }

  /// @param state what is known of their logs
  /// @return false when another leads by now
  boolean shutOut(List<String> members, ClusterState state) throws IOException {
    remember(members);
    if (!lease.change(Lease::afterEviction)) {
      return false;
    }
    for (String member : members) {
      fence(member, state);
    }
    return true;
  }

  private synchronized void remember(List<String> members) {
    evicted.addAll(members);
    while (evicted.size() > REMEMBERED_MAX) {
      evicted.remove(evicted.iterator().next());
    }
  }

  /// Fences the log of one that the lease shows to be out already.
  void fence(String member, ClusterState state) throws IOException {
    LOG.warn("evicting a member [node={}, term={}]", member, lease.term());
    LogBounds known = UploadMarks.bounds(state, member);
    fence.fence(member, known == null ? -1 : known.durable(), this::requireLease);
  }

  private void requireLease() throws IOException {
    if (lease.read().isEmpty()) {
      throw new IOException("nobody is evicted by a node that leads no more: " + lease.whyLost());
    }
  }
}
