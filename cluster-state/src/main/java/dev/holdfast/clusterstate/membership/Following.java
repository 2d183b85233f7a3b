package dev.holdfast.clusterstate.membership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.allocation.LoadReport;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.clusterstate.json.StateSize;
import dev.holdfast.clusterstate.lease.Claiming;
import dev.holdfast.clusterstate.lease.HeldLease;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.concurrent.Begun;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A node while another leads: tells the leader that it lives, takes the states it is told, asks
/// the leader to take changes made here, and doubts a leader that does not answer.
final class Following implements StateUpdateQueue.Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Following.class);

  private final World world;
  private final ClusterConfig config;
  private final MemberCalls peers;
  private final LeaseRegister register;
  private final Member self;
  private final PublishedState published;
  private final Membership membership;
  private final SelfReport report;
  private final Consumer<String> onLost;
  private final StateSize size = new StateSize();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isHurried = lock.newCondition();
  private volatile LeaseRegister.Read lease;
  private boolean isHurry;

  /// The newest term that a leader has told of.
  private volatile long toldTerm;

  /// The lease is this node's own.
  private volatile boolean isOver;

  /// What is being done about a leader that is doubted; null for nothing. Of the thread that beats.
  private @Nullable Begun<Claiming.Attempt> attempting;

  /// @param lease names the leader
  /// @param onLost told why when this node is a member no more
  Following(
      Surroundings around,
      LeaseRegister register,
      LeaseRegister.Read lease,
      Member self,
      PublishedState published,
      Membership membership,
      SelfReport report,
      Consumer<String> onLost) {
    this.world = around.world();
    this.config = around.config();
    this.peers = new MemberCalls(around.network(), self.id());
    this.register = register;
    this.lease = lease;
    this.self = self;
    this.published = published;
    this.membership = membership;
    this.report = report;
    this.onLost = onLost;
  }

  MemberCalls.Peer leader() {
    return MemberCalls.Peer.leader(lease.lease());
  }

  /// Beats until the lease is this node's own: then it leads. It beats on while it doubts its
  /// leader, and while the store keeps it from doing anything about it: who is silent is evicted.
  Claiming.Won follow(Claiming claiming) throws IOException, InterruptedException {
    LeaderDoubt doubt = LeaderDoubt.NONE;
    long begunNanos = world.clock().nanoTime();
    while (true) {
      boolean isClaiming = doubt.isEnough(config);
      pause(begunNanos, isClaiming ? config.claimPollEvery() : config.beatEvery());
      begunNanos = world.clock().nanoTime();
      doubt = doubt.after(beat(isClaiming ? config.claimPollEvery() : config.beatMax()), config);
      if (doubt.missed() == 1 && hasFailedFast(begunNanos)) {
        hurry(); // a connection broke: the next try tells whether anybody listens there
      }
      Optional<Claiming.Attempt> attempt = attempt(claiming, doubt);
      if (attempt.isPresent()) {
        if (attempt.get().won().isPresent()) {
          isOver = true;
          return attempt.get().won().get();
        }
        if (followsOther(attempt.get().read())) {
          doubt = LeaderDoubt.NONE;
        }
      }
    }
  }

  /// What came of the attempt under way, or of one begun now because the leader is doubted; empty
  /// when there is none, or the store does not answer soon. Beats go on then: who waited for a
  /// store that answers nobody would be evicted as soon as it does again.
  private Optional<Claiming.Attempt> attempt(Claiming claiming, LeaderDoubt doubt)
      throws IOException, InterruptedException {
    Begun<Claiming.Attempt> now = attempting;
    if (now == null) {
      if (doubt.missed() == 0) {
        return Optional.empty();
      }
      long term = lease.lease().term();
      boolean mayTakeOver = doubt.isEnough(config);
      now = Begun.of(world, "lease-doubt", () -> claiming.attempt(term, mayTakeOver));
      attempting = now;
    }
    try {
      Claiming.Attempt ended = now.value(config.claimPollEvery());
      attempting = null;
      return Optional.of(ended);
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      attempting = null;
      throw e.getCause() instanceof IOException cause
          ? cause
          : new IOException("the lease cannot be read", e.getCause());
    }
  }

  private boolean hasFailedFast(long begunNanos) {
    return world.clock().nanoTime() - begunNanos < config.beatMax().toNanos() / 2;
  }

  /// Follows whom the lease names, if that is another leader than so far.
  ///
  /// @throws IOException when the lease is older than one that this node has seen
  private boolean followsOther(LeaseRegister.Read read) throws IOException {
    if (read.isMissing() || read.lease().term() == lease.lease().term()) {
      return false;
    }
    if (read.lease().term() < lease.lease().term()) {
      throw new IOException(HeldLease.setBack(read.lease()));
    }
    LOG.info(
        "following another leader [leader={}, address={}, term={}]",
        read.lease().leader(),
        read.lease().address(),
        read.lease().term());
    lease = read;
    hurry();
    return true;
  }

  /// Whether the leader that this node follows is known to be none any more.
  private boolean isReplaced(long term) {
    return isOver || lease.lease().term() != term || toldTerm > term;
  }

  /// Beats now rather than later.
  void hurry() {
    lock.lock();
    try {
      isHurry = true;
      isHurried.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// @param begunNanos when the beat before began: one that waited long is followed by the next
  /// @param every between two beats
  private void pause(long begunNanos, Duration every) throws InterruptedException {
    lock.lock();
    try {
      long left = every.toNanos() - (world.clock().nanoTime() - begunNanos);
      while (!isHurry && left > 0) {
        world.sleeper().await(lock, isHurried, Duration.ofNanos(left));
        left = every.toNanos() - (world.clock().nanoTime() - begunNanos);
      }
      isHurry = false;
    } finally {
      lock.unlock();
    }
  }

  /// @param max how long the answer may take; the leader hears the beat all the same
  private LeaderDoubt.Outcome beat(Duration max) throws InterruptedException {
    if (isReplaced(lease.lease().term())) {
      return LeaderDoubt.Outcome
          .MISSED; // the lease names another, who need not be asked for in vain
    }
    try {
      return askStanding(max) ? LeaderDoubt.Outcome.ANSWERED : LeaderDoubt.Outcome.MISSED;
    } catch (IOException | Refusal e) {
      LOG.debug("a beat was not answered [leader={}]", leader(), e);
      return MemberCalls.isDeadEnd(e) ? LeaderDoubt.Outcome.DEAD_END : LeaderDoubt.Outcome.MISSED;
    }
  }

  /// Asks the leader whether this node is a member; false when it is not.
  private boolean askStanding(Duration max) throws IOException, InterruptedException {
    long asked = world.clock().nanoTime();
    MemberMessages.Beat beat = message();
    return answered(
        MemberMessages.News.of(peers.call(leader(), MemberMessages.BEAT, beat.json(), max)), asked);
  }

  private MemberMessages.Beat message() {
    return new MemberMessages.Beat(
        self.id(),
        published.current().version(),
        config.contactMax(),
        LoadReport.of(report.loads()),
        report.unreached());
  }

  /// Takes what a leader answered.
  ///
  /// @param askedNanos when it was asked: what it answered was true then or later
  /// @return false when this node is a member no more
  boolean answered(MemberMessages.News news, long askedNanos) {
    boolean isMember = told(news);
    if (isMember) {
      membership.confirmed(news.standing(), askedNanos);
    }
    return isMember;
  }

  /// Takes what a leader told by itself: it was true when it was sent, which may be long ago when
  /// this process slept.
  ///
  /// @return false when this node is a member no more
  boolean told(MemberMessages.News news) {
    MemberMessages.Standing standing = news.standing();
    if (standing.term() < published.current().term()) {
      return true; // of a leader that was replaced: it says nothing of us
    }
    if (!standing.isMember()) {
      onLost.accept("the leader has evicted this node [term=" + standing.term() + "]");
      return false;
    }
    if (standing.term() > lease.lease().term()) {
      toldTerm = standing.term();
      hurry();
    }
    membership.known(standing);
    news.after(published.current()).ifPresent(published::publish);
    return true;
  }

  /// As [Ownership#isStillMember].
  boolean isStillMember() throws IOException {
    LeaseRegister.Read read = register.read();
    if (membership.isKnown(read.lease())) {
      return true;
    }
    if (read.isMissing()) {
      throw new IOException(HeldLease.whyLost(read.lease()));
    }
    // Someone was evicted, or another leads: its leader knows whom.
    long asked = world.clock().nanoTime();
    MemberMessages.Beat beat = message();
    try {
      JsonNode answer =
          peers.call(
              MemberCalls.Peer.leader(read.lease()),
              MemberMessages.BEAT,
              beat.json(),
              config.callMax());
      MemberMessages.News news = MemberMessages.News.of(answer);
      Lease seen = read.lease();
      if (news.standing().compareTo(seen.term(), seen.nodeLeftGeneration()) < 0) {
        throw new IOException("the leader has not caught up with its lease");
      }
      return answered(news, asked);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking the leader", e);
    } catch (Refusal e) {
      throw new IOException("the leader does not say whether this node is a member", e);
    }
  }

  @Override
  public List<StateUpdate> commit(List<StateUpdate> updates) throws InterruptedException {
    ClusterState base = published.current();
    ClusterState changed = base;
    List<StateUpdate.Local> applied = new ArrayList<>();
    Map<StateUpdate.Local, RuntimeException> refused = new LinkedHashMap<>();
    for (StateUpdate update : updates) {
      switch (update) {
        case StateUpdate.Local local -> {
          try {
            ClusterState next = local.change().apply(changed);
            size.requireBearable(changed, next);
            changed = next;
            applied.add(local);
          } catch (RuntimeException | Error e) {
            refused.put(local, StateUpdateBatch.why(e));
          }
        }
        case StateUpdate.Proposed proposed ->
            proposed.done().completeExceptionally(new StateUpdateQueue.StaleException());
      }
    }
    if (applied.isEmpty() && refused.isEmpty()) {
      return List.of();
    }
    if (!propose(base, changed, applied.isEmpty() ? "" : applied.getFirst().reason())) {
      List<StateUpdate> again = new ArrayList<>(updates);
      again.removeIf(StateUpdate.Proposed.class::isInstance);
      return again;
    }
    ClusterState after = published.current();
    refused.forEach((update, why) -> update.done().completeExceptionally(why));
    applied.forEach(update -> update.done().complete(after));
    return List.of();
  }

  /// Whether the leader took the change, or, when there is none, whether its base is the newest
  /// state: also what was refused or changed nothing was so by a state that was true.
  ///
  /// @return false too when that cannot be known: changes look at the state that they are given, so
  ///   they can be made again
  private boolean propose(ClusterState base, ClusterState changed, String reason)
      throws InterruptedException {
    long asked = world.clock().nanoTime();
    MemberMessages.Proposal proposal =
        new MemberMessages.Proposal(
            self.id(), reason, base.version(), StateJson.delta(base, changed));
    try {
      MemberMessages.Verdict verdict =
          MemberMessages.Verdict.of(
              callWhileItLeads(MemberMessages.PROPOSE, proposal.json(), config.proposeMax()));
      boolean isMember = answered(verdict.news(), asked);
      return verdict.isTaken() && isMember;
    } catch (Network.UnreachableException e) {
      LOG.debug("a change was not taken by the leader [leader={}]", leader(), e);
      hurry();
      Await.pause(world, config.beatEvery().dividedBy(10));
      return false;
    } catch (IOException | Refusal e) {
      LOG.debug("a change was not taken by the leader [leader={}]", leader(), e);
      Await.pause(world, config.beatEvery().dividedBy(10));
      return false;
    }
  }

  /// Asks the leader, but does not wait for one that was replaced: it may stand still.
  private JsonNode callWhileItLeads(String call, ObjectNode request, Duration max)
      throws IOException, InterruptedException {
    long term = lease.lease().term();
    MemberCalls.Peer leader = leader();
    try {
      return FanOut.of(world, "ask-leader")
          .unless(config.beatEvery().dividedBy(5), () -> isReplaced(term))
          .cancelling()
          .one(() -> peers.call(leader, call, request, max));
    } catch (TimeoutException e) {
      throw new IOException("another leads by now", e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case Refusal refusal -> throw refusal;
        case null, default -> throw new IOException("the leader was not asked", e);
      }
    }
  }

  /// Says goodbye: nothing of this node writes any more.
  void leave() throws IOException, InterruptedException {
    var _ =
        peers.call(
            leader(), MemberMessages.LEAVE, Json.object().put("id", self.id()), config.callMax());
  }
}
