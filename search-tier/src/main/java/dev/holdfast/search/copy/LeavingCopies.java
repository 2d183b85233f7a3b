package dev.holdfast.search.copy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes known which copies this node searches no more: until then their owners tell it of every
/// commit, lest a node that has not heard that a copy was moved away serves what is out of date.
final class LeavingCopies {
  private static final Logger LOG = LoggerFactory.getLogger(LeavingCopies.class);

  private final World world;
  private final Metadata metadata;
  private final Ownership ownership;
  private final Predicate<ShardId> isGivenUp;
  private final AtomicBoolean isTelling = new AtomicBoolean();

  /// @param isGivenUp whether no search that comes now is answered from a copy here
  LeavingCopies(World world, Metadata metadata, Ownership ownership, Predicate<ShardId> isGivenUp) {
    this.world = world;
    this.metadata = metadata;
    this.ownership = ownership;
    this.isGivenUp = isGivenUp;
  }

  /// Tells of what has been given up since; blocks nowhere.
  void look() {
    ClusterState now = metadata.current();
    if (!without(now).equals(now) && isTelling.compareAndSet(false, true)) {
      var _ = world.tasks().start("copies-left", this::tell, () -> isTelling.set(false));
    }
  }

  private void tell() throws InterruptedException {
    try {
      ClusterState _ = metadata.update("search copies left", this::without);
    } catch (Refusal | IllegalStateException e) {
      LOG.info("copies that were given up could not be made known, tried again", e);
    } finally {
      isTelling.set(false);
    }
  }

  private ClusterState without(ClusterState state) {
    Map<ShardId, ShardAssignment> changed = new LinkedHashMap<>();
    String self = ownership.nodeEphemeralId();
    for (IndexMetadata index : state.indices().values()) {
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        ShardAssignment now = state.assignment(shard);
        if (now.copies().get(self) == Copy.LEAVING && isGivenUp.test(shard)) {
          changed.put(shard, now.withoutCopy(self));
        }
      }
    }
    return state.withAssignments(changed);
  }
}
