package dev.holdfast.indexing.sweep;

import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.objectstore.open.StoreProbe;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes what a process wrote that died while it asked the store whether it keeps its promises,
/// or the leader to take it in. A leader looks until there is nothing any more: what is left then
/// is too young, and the next leader's.
final class ProbeLeftovers {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeLeftovers.class);

  /// No probe takes as long.
  private static final Duration LEFT_AFTER = Duration.ofDays(1);

  /// What else lies there is somebody else's.
  private static final Pattern KEY =
      Pattern.compile(StoreProbe.FOLDER + "[^/]+/(created|register|joining|listed/.+)");

  /// A sweep looks at so many; the next one at those behind them, when these are gone.
  private static final int LIST_MAX = 1000;

  private final World world;
  private final ObjectStore store;
  private final Ownership ownership;
  private final StoreClock storeClock;
  private boolean isDone;

  ProbeLeftovers(World world, ObjectStore store, Ownership ownership, StoreClock storeClock) {
    this.world = world;
    this.store = store;
    this.ownership = ownership;
    this.storeClock = storeClock;
  }

  /// This node does not lead any more.
  void forget() {
    isDone = false;
  }

  /// @return how many objects were deleted
  int sweep() throws IOException {
    if (isDone) {
      return 0;
    }
    long newestMillis = world.clock().epochMillis() - LEFT_AFTER.toMillis();
    List<String> left =
        store.list(StoreProbe.FOLDER, "", LIST_MAX).stream()
            .filter(one -> StoreClock.isDated(one) && one.modifiedMillis() < newestMillis)
            .map(Listed::key)
            .filter(key -> KEY.matcher(key).matches())
            .toList();
    isDone = left.isEmpty();
    if (isDone || !storeClock.agrees() || !ownership.isStillMember()) {
      return 0;
    }
    store.deleteAll(left);
    LOG.info("deleted what probes of dead processes left in the store [objects={}]", left.size());
    return left.size();
  }
}
