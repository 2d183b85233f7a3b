package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.allocation.Allocation;
import dev.holdfast.clusterstate.json.StateSize;
import dev.holdfast.clusterstate.lease.HeldLease;
import dev.holdfast.clusterstate.log.StateLog;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes new states out of what is asked of the leader: each is in the store before anybody is told
/// of it (§2.2). One task commits.
final class StateWriting implements StateUpdateQueue.Committer {
  private static final Logger LOG = LoggerFactory.getLogger(StateWriting.class);

  private final StateLog log;
  private final HeldLease lease;
  private final PublishedState published;
  private final Followers followers;
  private final Build build;
  private final Leading leader;
  private final StateSize size = new StateSize();

  /// What the store holds of the newest state is not all that a reader needs.
  private volatile boolean isTorn;

  StateWriting(
      StateLog log,
      HeldLease lease,
      PublishedState published,
      Followers followers,
      Build build,
      Leading leader) {
    this.log = log;
    this.lease = lease;
    this.published = published;
    this.followers = followers;
    this.build = build;
    this.leader = leader;
  }

  /// Writes a state to the store; nobody is told.
  void append(ClusterState before, ClusterState now) throws IOException {
    log.append(before, now);
    lease.reached(log.newestOrdinal());
  }

  /// From the next commit on the state is whole in the store again.
  void tear() {
    isTorn = true;
  }

  @Override
  public List<StateUpdate> commit(List<StateUpdate> updates) {
    ClusterState before = published.current();
    StateUpdateBatch batch = StateUpdateBatch.step(before, updates, size);
    batch.refused().forEach((update, why) -> update.done().completeExceptionally(why));
    batch
        .stale()
        .forEach(
            update -> update.done().completeExceptionally(new StateUpdateQueue.StaleException()));
    try {
      ClusterState changed = batch.changed();
      if (Allocation.isDue(before, changed)) {
        changed = leader.allocated(changed);
      }
      changed = Formats.raised(changed, build);
      if (changed.equals(before) && !isTorn) {
        batch.applied().forEach(update -> update.done().complete(before));
        return List.of();
      }
      if (leader.isLost()) {
        fail(batch, new Refusal(ErrorType.NODE_CLOSED, "this node leads no more and stops"));
        return List.of();
      }
      ClusterState now = written(before, changed);
      while (isTorn && !log.endsWhole()) {
        now = written(now, now);
      }
      isTorn = false;
      ClusterState newest = now;
      followers.announce(
          newest, () -> batch.applied().forEach(update -> update.done().complete(newest)));
    } catch (StateLog.FencedException e) {
      fail(batch, e);
      leader.lost(String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException | Error e) {
      LOG.error("cluster state update failed [changes={}]", updates.size(), e);
      fail(batch, e instanceof StackOverflowError ? Refusal.nestedTooDeep() : e);
    }
    return List.of();
  }

  /// The next version, in the store and known to this node.
  private ClusterState written(ClusterState before, ClusterState changed) throws IOException {
    ClusterState now = changed.at(before.term(), before.version() + 1);
    append(before, now);
    published.publish(now);
    return now;
  }

  private static void fail(StateUpdateBatch batch, Throwable why) {
    batch.applied().forEach(update -> update.done().completeExceptionally(why));
  }
}
