package dev.holdfast.clusterstate;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.Promise;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// This process as a member of its cluster (§2.2): it holds the lease, keeps the cluster state, and
/// notices when it has lost either.
public final class ClusterNode implements Metadata, Ownership, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

  private final World world;
  private final LeaseRegister register;
  private final String nodeEphemeralId;
  private final long term;
  private final StateUpdates updates;
  private final Consumer<String> onEvicted;
  private volatile boolean isEvicted;

  private ClusterNode(
      World world,
      LeaseRegister register,
      String node,
      long term,
      StateUpdates updates,
      Consumer<String> onEvicted) {
    this.world = world;
    this.register = register;
    this.nodeEphemeralId = node;
    this.term = term;
    this.updates = updates;
    this.onEvicted = onEvicted;
  }

  /// Claims the lease and reads the newest state.
  ///
  /// @param store retries for ever: this blocks while the store is away
  /// @param data the folder of this process, locked
  /// @param address where this node listens, for people
  /// @param onEvicted called once when this node has lost its membership: the process must stop
  /// @throws IOException in one clear sentence when another node leads the cluster
  public static ClusterNode join(
      World world, ObjectStore store, DataFolder data, String address, Consumer<String> onEvicted)
      throws IOException, InterruptedException {
    String self = world.ids().uuid();
    LeaseRegister register = new LeaseRegister(store);
    LeaseRegister.Read before = register.read();
    LeaseRegister.Read claimed =
        new Claiming(world, register, data.previousNode()).claim(self, address);
    long term = claimed.lease().term();
    data.remember(self);
    StateLog log = new StateLog(store);
    ClusterState newest = newestState(log, term, self).orElseGet(() -> firstState(world));
    ClusterState first =
        new ClusterState(
            term,
            newest.version() + 1,
            newest.clusterUuid(),
            newest.settings(),
            newest.indices(),
            newest.customs());
    log.append(newest, first);
    LOG.info(
        "leading the cluster [node={}, term={}, state_version={}, previous_leader={}]",
        self,
        term,
        first.version(),
        before.lease().leader());
    StateUpdates updates = new StateUpdates(world, log, first);
    ClusterNode node = new ClusterNode(world, register, self, term, updates, onEvicted);
    updates.start(node::evicted);
    node.watchLease();
    return node;
  }

  /// A term that wrote nothing (its leader died between claim and first state) is skipped, after it
  /// has been fenced.
  private static Optional<ClusterState> newestState(StateLog log, long term, String self)
      throws IOException {
    for (long older = term - 1; older > 0; older--) {
      Optional<ClusterState> state = log.fenceAndRead(older, self);
      if (state.isPresent()) {
        return state;
      }
    }
    return Optional.empty();
  }

  private static ClusterState firstState(World world) {
    return new ClusterState(
        0, 0, world.ids().uuid(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
  }

  /// Reads the lease now and then: answers a challenger, learns of an eviction. Costs GETs only
  /// while nobody challenges.
  private void watchLease() {
    Duration poll = Claim.POLL;
    world.tasks().repeat("lease-watch", poll, this::answerChallenge);
  }

  private void answerChallenge() throws IOException {
    LeaseRegister.Read read = register.read();
    if (!isOurs(read.lease())) {
      evicted(
          "the lease names another leader [leader="
              + read.lease().leader()
              + ", term="
              + read.lease().term()
              + "]");
    } else if (!read.lease().challenger().isEmpty()) {
      LOG.info("answering a challenger [challenger={}]", read.lease().challenger());
      register.replace(read, read.lease().beating());
    }
  }

  private boolean isOurs(Lease lease) {
    return lease.term() == term && lease.leader().equals(nodeEphemeralId);
  }

  @Override
  public String nodeEphemeralId() {
    return nodeEphemeralId;
  }

  /// The term this node leads under.
  public long term() {
    return term;
  }

  @Override
  public boolean isStillMember() throws IOException {
    if (isEvicted) {
      return false;
    }
    boolean isMember = isOurs(register.read().lease());
    if (!isMember) {
      evicted("the lease names another leader");
    }
    return isMember;
  }

  @Override
  public void evicted(String why) {
    synchronized (this) {
      if (isEvicted) {
        return;
      }
      isEvicted = true;
    }
    LOG.error("this node was evicted: it acknowledges and deletes nothing any more [why={}]", why);
    onEvicted.accept(why);
  }

  @Override
  public ClusterState current() {
    return updates.current();
  }

  @Override
  public ClusterState update(String reason, UnaryOperator<ClusterState> change)
      throws InterruptedException {
    return updates.update(reason, change);
  }

  @Override
  public void listen(Listener listener) {
    updates.listen(listener);
  }

  /// Hands the lease over: the next node need not wait. Call it last, when nothing of this node
  /// writes any more.
  @Override
  public void close() throws IOException {
    updates.close();
    LeaseRegister.Read read = register.read();
    if (isOurs(read.lease())) {
      Promise.keep(!read.lease().isCleanStop(), "a lease is handed over once");
      register.replace(read, read.lease().stopped());
    }
  }
}
