package dev.holdfast.clusterstate.membership;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.allocation.Draining;
import dev.holdfast.clusterstate.lease.Claiming;
import dev.holdfast.clusterstate.lease.HeldLease;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.clusterstate.log.StateLog;
import dev.holdfast.clusterstate.log.StateSurvey;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// This process as a member of its cluster (§2.2): it leads or it follows, knows the cluster state,
/// and notices when it is a member no more. A follower may become the leader; who stops leading
/// stops.
public final class ClusterNode implements Metadata, Ownership, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

  /// Between two writes of the newest version of the state that is known.
  private static final Duration REMEMBER_EVERY = Duration.ofSeconds(30);

  /// What the store refuses so often, it may refuse for long: tries are half a second apart by
  /// then.
  private static final int REFUSED_MIN = 5;

  private final Surroundings around;
  private final World world;
  private final LeaseRegister register;
  private final Member self;
  private final SelfReport report;
  private final PublishedState published = new PublishedState(ClusterState.empty(""));
  private final Membership membership;
  private final StateUpdateQueue queue;
  private final Claiming claiming;
  private final MemberMessages.Join join;
  private final Consumer<String> onEvicted;
  private volatile @Nullable Leading leading;
  private volatile @Nullable Following following;
  private Tasks.@Nullable Task follows;
  private volatile boolean isEvicted;
  private volatile boolean isClosing;

  private ClusterNode(
      Surroundings around,
      DataFolder data,
      Member self,
      SelfReport report,
      Consumer<String> onEvicted) {
    this.around = around;
    this.world = around.world();
    this.register = new LeaseRegister(around.store());
    this.self = self;
    this.report = report;
    this.membership = new Membership(world, around.config(), register);
    this.queue = new StateUpdateQueue(world, around.config(), around.store());
    this.claiming = new Claiming(world, register, around.config(), self, data.previousNode());
    this.join = new MemberMessages.Join(self, data.previousNode(), true, around.clusterName());
    this.onEvicted = onEvicted;
  }

  /// Becomes a member, of a cluster of its own if there is no other, and returns when it knows the
  /// state.
  ///
  /// @param data the folder of this process, locked
  /// @param self this process; its address is served already
  /// @param onEvicted called once when this node has lost its membership: the process must stop
  /// @throws IncompleteStateException when there is a cluster in the store whose state is not
  ///   whole: nothing was written then
  /// @throws IOException in one clear sentence when the cluster's leader cannot be reached
  public static ClusterNode join(
      Surroundings around,
      DataFolder data,
      Member self,
      SelfReport report,
      Consumer<String> onEvicted)
      throws IOException, InterruptedException {
    // A machine that was suspended wakes with what was true before.
    Surroundings awake = around.with(around.world().throughSuspension());
    ClusterNode node = new ClusterNode(awake, data, self, report, onEvicted);
    node.serve();
    StateSurvey survey = new StateSurvey(around.store());
    switch (new Joining(awake, node.register, node.claiming, survey, data, node.join).join()) {
      case Joining.Outcome.Leads leads -> {
        data.remember(self.id());
        node.lead(leads.won(), leads.known(), false);
        node.queue.start(updates -> node.role().commit(updates));
      }
      case Joining.Outcome.Follows follows -> {
        data.remember(self.id());
        node.follow(follows);
        node.queue.start(updates -> node.role().commit(updates));
      }
    }
    node.remember(data);
    var _ =
        node.world.tasks().repeat("remember-cluster", REMEMBER_EVERY, () -> node.remember(data));
    return node;
  }

  private void remember(DataFolder data) throws IOException {
    ClusterState now = current();
    data.rememberCluster(around.store().name(), now.clusterUuid(), now.version());
  }

  private void lead(Claiming.Won won, Optional<StateLog.Known> known, boolean wasMember)
      throws IOException {
    StateLog log = new StateLog(around.store());
    HeldLease lease =
        new HeldLease(
            world.clock(), register, log::isOurStateNewest, won.held().lease(), won.claimedNanos());
    Leading now =
        new Leading(around, log, self, lease, published, membership, report, this::evicted);
    now.begin(won.before(), join.knownDead(), wasMember, known);
    leading = now;
    following = null;
    now.watch(queue);
  }

  private void follow(Joining.Outcome.Follows joined) throws IOException {
    Following now =
        new Following(
            around, register, joined.lease(), self, published, membership, report, this::evicted);
    if (!now.answered(joined.news(), joined.askedNanos())) {
      throw new IOException("the leader evicted this node while it joined");
    }
    LOG.info(
        "following the leader [node={}, leader={}, term={}]",
        self.id(),
        now.leader().id(),
        joined.lease().lease().term());
    following = now;
    follows =
        world
            .tasks()
            .start(
                "cluster-follow",
                () -> {
                  try {
                    Claiming.Won won = now.follow(claiming);
                    lead(won, Optional.of(new StateLog.Known(current(), -1)), true);
                  } catch (IOException e) {
                    LOG.debug("this node could not become the leader", e);
                    evicted("this node could not become the leader: " + e.getMessage());
                  } catch (RuntimeException | Error e) { // nobody else would notice
                    LOG.error("this node could not become the leader", e);
                    evicted("this node could not become the leader: " + e);
                  }
                });
  }

  private StateUpdateQueue.Committer role() {
    Leading asLeader = leading;
    return asLeader != null ? asLeader : Objects.requireNonNull(following);
  }

  private void serve() {
    MemberCalls peers = new MemberCalls(around.network(), self.id());
    peers.serve(MemberMessages.JOIN, r -> leader().join(MemberMessages.Join.of(r), queue).json());
    peers.serve(MemberMessages.BEAT, r -> leader().beat(MemberMessages.Beat.of(r)).json());
    peers.serve(
        MemberMessages.PROPOSE, r -> leader().propose(MemberMessages.Proposal.of(r), queue).json());
    peers.serve(
        MemberMessages.LEAVE,
        r -> {
          leader().leave(r.path("id").asText(), queue);
          return Json.object();
        });
    peers.serve(MemberMessages.PING, r -> Json.object());
    peers.serve(MemberMessages.STATE, r -> told(MemberMessages.News.of(r)));
    peers.serve(
        MemberMessages.STOPPED,
        r -> {
          Following asFollower = following;
          if (asFollower != null) {
            asFollower.hurry();
          }
          return Json.object();
        });
  }

  private Leading leader() {
    Leading asLeader = leading;
    if (asLeader == null) {
      throw new Refusal(ErrorType.MASTER_NOT_DISCOVERED, "this node does not lead the cluster");
    }
    return asLeader;
  }

  private ObjectNode told(MemberMessages.News news) {
    Following asFollower = following;
    if (asFollower != null) {
      boolean _ = asFollower.told(news);
    } else if (leading == null) {
      news.after(published.current()).ifPresent(published::publish);
    }
    return Json.object().put("version", published.current().version());
  }

  @Override
  public String nodeEphemeralId() {
    return self.id();
  }

  @Override
  public String leaderId() {
    Following asFollower = following;
    return leading != null || asFollower == null ? self.id() : asFollower.leader().id();
  }

  @Override
  public boolean isStillMember() throws IOException {
    if (isEvicted) {
      return false;
    }
    Following asFollower = following;
    Leading asLeader = leading;
    if (asLeader == null && asFollower != null) {
      return asFollower.isStillMember();
    }
    return asLeader != null
        ? asLeader.holdsLease()
        : register.read().lease().leader().equals(self.id());
  }

  @Override
  public boolean mayServe() {
    return !isEvicted && membership.mayServe();
  }

  @Override
  public String whyNotServing() {
    if (isEvicted) {
      return "this node is no longer a member of its cluster";
    }
    String silent = "this node has not heard of its leader lately, nor seen the lease";
    return around
        .store()
        .trouble(Lease.KEY)
        .map(trouble -> silent + ": the object store fails, " + trouble.sentence())
        .orElse(silent);
  }

  @Override
  public Optional<StoreTrouble> refused() {
    return around
        .store()
        .trouble(Lease.KEY)
        .filter(trouble -> trouble.failure().isRefusal() && trouble.tries() >= REFUSED_MIN);
  }

  @Override
  public void evicted(String why) {
    synchronized (this) {
      if (isEvicted || isClosing) {
        isEvicted = true;
        return;
      }
      isEvicted = true;
    }
    LOG.error("this node was evicted: it acknowledges and deletes nothing any more [why={}]", why);
    onEvicted.accept(why);
  }

  @Override
  public ClusterState current() {
    return published.current();
  }

  @Override
  public ClusterState update(String reason, UnaryOperator<ClusterState> change)
      throws InterruptedException {
    return queue.update(reason, change);
  }

  @Override
  public void listen(Listener listener) {
    published.listen(listener);
  }

  /// Gives shards away before this node stops: returns when it holds none that another could hold,
  /// or after `ClusterConfig#drainMax`. A leader leads on for a moment until the shards that it had
  /// open are open elsewhere: their first writes need one.
  public void drain() throws InterruptedException {
    if (isEvicted) {
      return;
    }
    long startNanos = world.clock().nanoTime();
    if (!Draining.isUseful(current(), self.id())) {
      return;
    }
    Set<ShardId> open = report.open();
    var _ = update("drain " + self.id(), state -> Draining.begin(state, self.id()));
    Duration spent = Duration.ofNanos(world.clock().nanoTime() - startNanos);
    boolean isEmpty =
        Await.until(
            world,
            around.config().drainMax().minus(spent),
            Draining.POLL,
            () -> Draining.isDone(current(), self.id()));
    LOG.info("drained [node={}, is_empty={}]", self.id(), isEmpty);
    if (isEmpty && leading != null) {
      boolean _ =
          Await.until(
              world,
              around.config().acknowledgeMax(),
              Draining.POLL,
              () -> Draining.areOpen(current(), open));
    }
  }

  /// Leaves: the leader forgets this node at once; when it leads itself, the next leader need not
  /// wait. Call it last, when nothing of this node writes any more.
  @Override
  public void close() throws IOException {
    synchronized (this) {
      isClosing = true;
    }
    try {
      leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while leaving the cluster", e);
    }
  }

  private void leave() throws IOException, InterruptedException {
    Tasks.Task task = follows;
    if (task != null) {
      task.cancel();
      task.join();
    }
    Leading asLeader = leading;
    Following asFollower = following;
    if (asLeader != null) {
      asLeader.close(queue);
      return;
    }
    queue.close();
    if (asFollower != null && !isEvicted) {
      try {
        asFollower.leave();
      } catch (Network.UnreachableException | Refusal e) {
        LOG.info("the leader was not told goodbye: it will notice [why={}]", e.getMessage());
      }
    }
  }
}
