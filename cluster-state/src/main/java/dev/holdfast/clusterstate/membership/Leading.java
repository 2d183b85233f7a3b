package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.allocation.Allocation;
import dev.holdfast.clusterstate.allocation.AllocationInputs;
import dev.holdfast.clusterstate.allocation.KnownLoads;
import dev.holdfast.clusterstate.allocation.LoadReport;
import dev.holdfast.clusterstate.allocation.UnreachablePeers;
import dev.holdfast.clusterstate.lease.HeldLease;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.clusterstate.log.IncompleteStateException;
import dev.holdfast.clusterstate.log.StateLog;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A node while it holds the lease: the only one that makes new states (§2.2). It writes each to
/// the store, then tells the members; it keeps the list of members and says who holds which shard.
final class Leading implements StateUpdateQueue.Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Leading.class);

  /// How long a leader that stops waits for its members to hear of it.
  private static final Duration STOPPED_MAX = Duration.ofMillis(500);

  private final World world;
  private final ClusterConfig config;
  private final StateLog log;
  private final StateWriting states;
  private final Member self;
  private final HeldLease lease;
  private final PublishedState published;
  private final Membership membership;
  private final Followers followers;
  private final Evictions evictions;
  private final Challenges challenges;
  private final SelfReport report;
  private final Network network;
  private final JoinProof proofs;
  private final KnownLoads loads;
  private final UnreachablePeers cuts = new UnreachablePeers();
  private final Consumer<String> onLost;
  private final List<Tasks.Task> tasks = new ArrayList<>();
  private volatile @Nullable Settled settled;
  private volatile boolean isLost;
  private volatile boolean isStopped;
  private volatile boolean areOldTermsDeleted;

  /// Members are about to be evicted: shards are given away without them then.
  private volatile boolean hasDead;

  /// A state in which, as far as is known, every shard is where it should be.
  private record Settled(long version, AllocationInputs figures) {}

  /// @param log of the term to come
  /// @param onLost told why when another leads
  Leading(
      Surroundings around,
      StateLog log,
      Member self,
      HeldLease lease,
      PublishedState published,
      Membership membership,
      SelfReport report,
      Consumer<String> onLost) {
    this.world = around.world();
    this.config = around.config();
    this.log = log;
    this.self = self;
    this.lease = lease;
    this.published = published;
    this.membership = membership;
    this.report = report;
    this.network = around.network();
    this.proofs = new JoinProof(around);
    this.loads = new KnownLoads(around.world().clock());
    this.onLost = onLost;
    this.evictions = new Evictions(lease, around.fence());
    this.followers = new Followers(around, lease, self.id(), this::isMember);
    this.challenges = new Challenges(around, lease, published, followers);
    this.states = new StateWriting(log, lease, published, followers, self.build(), this);
  }

  /// Makes the first state of this term: what the terms before left, without the leader before and
  /// without `knownDead`, and with this node.
  ///
  /// @param wasMember whether this node has followed another: it may have been evicted meanwhile,
  ///   and what it holds of its shards is not true any more
  /// @param known a state that this node knows already
  /// @throws IncompleteStateException when the state cannot be read whole; the lease is free then
  /// @throws IOException when it has been evicted; the lease is free then. When another node leads
  ///   by now
  /// @throws Refusal when the cluster speaks a version that this build does not; as above
  void begin(Lease before, String knownDead, boolean wasMember, Optional<StateLog.Known> known)
      throws IOException {
    ClusterState newest = newestState(before, known);
    if (known.isPresent() && newest.version() < known.get().state().version()) {
      boolean isFreed = lease.change(Lease::stopped);
      throw new IOException(HeldLease.setBack(before) + " [lease_freed=" + isFreed + "]");
    }
    if (wasMember && !newest.members().containsKey(self.id())) {
      boolean isFreed = lease.change(Lease::stopped);
      throw new IOException("a leader before has evicted this node [lease_freed=" + isFreed + "]");
    }
    if (self.build().newest() < newest.minimumVersion()) {
      boolean isFreed = lease.change(Lease::stopped);
      LOG.info("this node does not lead [lease_freed={}]", isFreed);
      Formats.require(newest, self.build());
    }
    ClusterState first = newest;
    for (String dead : List.of(before.leader(), knownDead)) {
      if (first.members().containsKey(dead) && !dead.equals(self.id())) {
        if (!dead.equals(before.leader()) || !before.isCleanStop()) {
          evictions.fence(dead, newest);
        }
        first = first.withoutMember(dead);
      }
    }
    if (!first.members().containsKey(self.id())) {
      first = first.withMember(self);
    }
    if (!wasMember && first.members().size() > 1) {
      // What this node has of them it has read: the store may be a copy, and they of the original.
      network.changeSecret();
    }
    first = Formats.raised(allocated(first), self.build()).at(lease.term(), newest.version() + 1);
    states.append(newest, first);
    if (!lease.change(Lease::beating)) { // says how far the state log reaches
      throw new IOException("another node leads by now");
    }
    LOG.info(
        "leading the cluster [node={}, term={}, state_version={}, members={}, previous_leader={}]",
        self.id(),
        lease.term(),
        first.version(),
        first.members().size(),
        before.leader());
    confirmSelf();
    published.publish(first);
    followers.announce(first, () -> {});
  }

  private ClusterState newestState(Lease before, Optional<StateLog.Known> known)
      throws IOException {
    try {
      return log.newestUntil(before, new StateLog.By(self.id(), before.isCleanStop()), known)
          .map(StateLog.Known::state)
          .orElseGet(() -> ClusterState.empty(world.ids().uuid()));
    } catch (IncompleteStateException e) {
      if (!lease.change(Lease::stopped)) {
        // A leader deletes what leaders before it left: this node has slept, and nothing is lost.
        throw new IOException("another node leads by now", e);
      }
      throw e;
    }
  }

  /// Begins to look after the lease and the members.
  ///
  /// @param queue of this node's updates
  void watch(StateUpdateQueue queue) {
    tasks.add(world.tasks().start("old-states", this::deleteOldStates));
    tasks.add(world.tasks().repeat("old-states", config.stateLookEvery(), this::deleteOldStates));
    StateWatch watch = new StateWatch(world, log, states, queue, config.leasePollEvery());
    tasks.add(world.tasks().repeat("state-watch", config.stateLookEvery(), watch::look));
    tasks.add(world.tasks().repeat("lease-watch", config.leasePollEvery(), this::answerChallenge));
    tasks.add(world.tasks().repeat("member-watch", config.watchEvery(), () -> watchMembers(queue)));
    tasks.add(world.tasks().repeat("shard-watch", config.beatEvery(), () -> watchShards(queue)));
  }

  /// Apart from all that writes states: a store may refuse to delete for as long as it likes.
  private void deleteOldStates() {
    try {
      if (!areOldTermsDeleted) {
        log.deleteBelow(lease.term());
        areOldTermsDeleted = true;
      }
      log.deleteOlder();
    } catch (IOException | RuntimeException e) {
      LOG.warn("states that nobody needs could not be deleted, will be tried again", e);
    }
  }

  /// Reads the lease now and then: answers a challenger, learns of a successor. Costs GETs only
  /// while nobody challenges.
  private void answerChallenge() throws IOException {
    Optional<LeaseRegister.Read> read = lease.read();
    if (read.isEmpty()) {
      lost(lease.whyLost());
      return;
    }
    confirmSelf();
    if (challenges.yields(read.get().lease())) {
      LOG.warn(
          "most members are silent and one challenges: this leader may be cut off and does not"
              + " answer [challenger={}]",
          read.get().lease().challenger());
    } else if (!read.get().lease().challenger().isEmpty()) {
      LOG.info("answering a challenger [challenger={}]", read.get().lease().challenger());
      if (!lease.change(held -> held.challenger().isEmpty() ? held : held.beating())) {
        lost(lease.whyLost());
      }
    }
  }

  /// Reads the lease; false, and the end of this node, when it is another's.
  boolean holdsLease() throws IOException {
    boolean isHeld = lease.read().isPresent();
    if (!isHeld) {
      lost(lease.whyLost());
    }
    return isHeld;
  }

  private void confirmSelf() {
    membership.leads(
        new MemberMessages.Standing(lease.term(), lease.generation(), true, 0), lease.seenNanos());
  }

  boolean isLost() {
    return isLost;
  }

  void lost(String why) {
    isLost = true;
    onLost.accept(why);
  }

  private void watchMembers(StateUpdateQueue queue) throws IOException, InterruptedException {
    List<String> dead = followers.overdue().stream().map(Member::id).toList();
    hasDead = !dead.isEmpty();
    if (hasDead && !challenges.isCutOff()) {
      evict(dead, queue, state -> state);
    }
  }

  private void watchShards(StateUpdateQueue queue) throws InterruptedException {
    loads.heard(self.id(), LoadReport.of(report.loads()));
    cuts.heard(self.id(), report.unreached());
    if (!hasDead && isAllocationDue()) {
      var _ = queue.update("allocate shards", this::allocated);
    }
  }

  /// Shuts members out, then forgets them, then gives their shards away (§5).
  private void evict(List<String> dead, StateUpdateQueue queue, UnaryOperator<ClusterState> then)
      throws IOException, InterruptedException {
    if (!evictions.shutOut(dead, published.current())) {
      lost(lease.whyLost());
      return;
    }
    confirmSelf();
    var _ =
        queue.update(
            "evict " + dead,
            state -> {
              ClusterState left = state;
              for (String id : dead) {
                left = left.withoutMember(id);
              }
              return then.apply(left);
            });
  }

  private boolean hears(String id) {
    return id.equals(self.id()) || followers.hears(id);
  }

  private boolean isMember(String id) {
    return published.current().members().containsKey(id) && !evictions.has(id);
  }

  /// Whether shards are to be given or moved. What was found to be settled is not looked at again
  /// until the state or what is known of loads changes.
  private boolean isAllocationDue() {
    ClusterState now = published.current();
    AllocationInputs figures = figures(now);
    Settled known = settled;
    if (known != null && known.version == now.version() && known.figures.equals(figures)) {
      return false;
    }
    boolean isSettled = Allocation.next(now, figures).equals(now);
    settled = isSettled ? new Settled(now.version(), figures) : null;
    return !isSettled;
  }

  private AllocationInputs figures(ClusterState state) {
    return loads.figures(state, cuts.of(state, this::hears));
  }

  ClusterState allocated(ClusterState state) {
    return Allocation.next(state, figures(state));
  }

  @Override
  public List<StateUpdate> commit(List<StateUpdate> updates) {
    return states.commit(updates);
  }

  /// Takes a node in. The earlier process of its data folder is dead.
  MemberMessages.News join(MemberMessages.Join join, StateUpdateQueue queue)
      throws IOException, InterruptedException {
    requireLead();
    proofs.require(join);
    Member member = join.member();
    Formats.require(published.current(), member.build());
    UnaryOperator<ClusterState> add =
        state -> {
          Formats.require(state, member.build());
          return state.members().containsKey(member.id()) ? state : state.withMember(member);
        };
    if (!join.knownDead().equals(self.id()) && isMember(join.knownDead())) {
      evict(List.of(join.knownDead()), queue, add);
    } else if (!evictions.has(member.id())) {
      var _ = queue.update("join " + member.name(), add);
    }
    LOG.info(
        "a node joined [node={}, name={}, address={}, roles={}, build={}]",
        member.id(),
        member.name(),
        member.address(),
        member.roles(),
        member.build());
    return followers.news(member.id(), 0);
  }

  private void requireLead() {
    if (isLost || isStopped) {
      throw new Refusal(
          ErrorType.MASTER_NOT_DISCOVERED, "this node does not lead the cluster any more");
    }
  }

  /// What a member that has the state of `version` should know.
  MemberMessages.News beat(MemberMessages.Beat beat) {
    requireLead();
    followers.beaten(beat);
    loads.heard(beat.id(), beat.load());
    cuts.heard(beat.id(), beat.unreached());
    MemberMessages.News news = followers.news(beat.id(), beat.version());
    return beat.version() >= published.current().version()
        ? MemberMessages.News.none(news.standing())
        : news;
  }

  MemberMessages.Verdict propose(MemberMessages.Proposal proposal, StateUpdateQueue queue)
      throws InterruptedException {
    requireLead();
    if (!isMember(proposal.member())) {
      return new MemberMessages.Verdict(false, followers.news(proposal.member(), proposal.base()));
    }
    boolean isTaken = true;
    try {
      var _ = queue.propose(proposal);
    } catch (StateUpdateQueue.StaleException e) {
      isTaken = false;
    }
    return new MemberMessages.Verdict(isTaken, followers.news(proposal.member(), proposal.base()));
  }

  /// A member has stopped in order: nothing of it writes any more, so nothing is fenced.
  void leave(String id, StateUpdateQueue queue) throws InterruptedException {
    var _ = queue.update("leave " + id, state -> state.withoutMember(id));
    LOG.info("a node left [node={}]", id);
  }

  /// Gives the lease back: the members need not wait. The last thing a leader does.
  void close(StateUpdateQueue queue) throws IOException, InterruptedException {
    tasks.forEach(Tasks.Task::cancel);
    try {
      if (!isLost) {
        var _ = queue.update("leave " + self.id(), state -> state.withoutMember(self.id()));
      }
    } finally {
      queue.close();
      isStopped = true;
      if (!isLost && lease.change(Lease::stopped)) {
        followers.stopped(STOPPED_MAX);
      }
      followers.close();
    }
  }
}
