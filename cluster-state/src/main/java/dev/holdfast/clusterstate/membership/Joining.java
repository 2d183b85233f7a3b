package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.lease.Claiming;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.clusterstate.log.IncompleteStateException;
import dev.holdfast.clusterstate.log.StateLog;
import dev.holdfast.clusterstate.log.StateSurvey;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a process becomes a member: it asks the leader that the lease names, or leads itself when
/// there is none that lives.
final class Joining {
  private static final Logger LOG = LoggerFactory.getLogger(Joining.class);

  /// A leader that answers every challenge but no call cannot be reached from here.
  private static final int CHALLENGES_MAX = 3;

  /// A leader that lives has looked at its lease so often by then.
  private static final int MENDED_LOOKS = 3;

  private final World world;
  private final ClusterConfig config;
  private final MemberCalls peers;
  private final LeaseRegister register;
  private final Claiming claiming;
  private final StateSurvey survey;
  private final DataFolder data;
  private final String store;
  private final MemberMessages.Join join;
  private final JoinProof proof;

  Joining(
      Surroundings around,
      LeaseRegister register,
      Claiming claiming,
      StateSurvey survey,
      DataFolder data,
      MemberMessages.Join join) {
    this.world = around.world();
    this.config = around.config();
    this.peers = new MemberCalls(around.network(), join.member().id());
    this.register = register;
    this.claiming = claiming;
    this.survey = survey;
    this.data = data;
    this.store = around.store().name();
    this.join = join;
    this.proof = new JoinProof(around);
  }

  /// How it ended.
  sealed interface Outcome {
    /// This node leads.
    ///
    /// @param known the newest state that it has read; empty for none
    record Leads(Claiming.Won won, Optional<StateLog.Known> known) implements Outcome {}

    /// Another leads, and has taken this node in.
    ///
    /// @param askedNanos when it was asked
    record Follows(LeaseRegister.Read lease, MemberMessages.News news, long askedNanos)
        implements Outcome {}
  }

  /// @throws IncompleteStateException when there is no leader and no whole state
  /// @throws IOException when there is no cluster where this node was a member of one
  /// @throws IOException when a leader lives that cannot be reached, or does not take nodes of this
  ///   build or name
  Outcome join() throws IOException, InterruptedException {
    try {
      return joined();
    } finally {
      proof.hide(join.member().id());
    }
  }

  private Outcome joined() throws IOException, InterruptedException {
    LeaderDoubt doubt = LeaderDoubt.NONE;
    int challenges = 0;
    Long lostNanos = null; // since when something has been lost, as far as this node has looked
    while (true) {
      LeaseRegister.Read read = register.readIfWhole();
      if (!claiming.isFree(read.lease())) {
        try {
          proof.show(join.member().id());
          long asked = world.clock().nanoTime();
          return new Outcome.Follows(read, ask(read.lease()), asked);
        } catch (IOException | Refusal e) {
          if (e instanceof Refusal refusal
              && (Formats.isRefusal(refusal) || ClusterName.isRefusal(refusal))) {
            throw new IOException(refusal.getMessage(), refusal);
          }
          LOG.info(
              "the leader did not take this node in [leader={}, address={}, why={}]",
              read.lease().leader(),
              read.lease().address(),
              e.getMessage());
          doubt =
              doubt.after(
                  MemberCalls.isDeadEnd(e)
                      ? LeaderDoubt.Outcome.DEAD_END
                      : LeaderDoubt.Outcome.MISSED,
                  config);
        }
      }
      if (claiming.isFree(read.lease()) || doubt.isEnough(config)) {
        // Before anything is written: who does not know what there is takes no cluster.
        Optional<StateLog.Known> known;
        try {
          known = survey.requireWhole();
          lostNanos = null;
        } catch (IncompleteStateException e) {
          // Not since the leader was asked: that may have taken longer than it is waited for.
          lostNanos = lostNanos == null ? Long.valueOf(world.clock().nanoTime()) : lostNanos;
          if (mayComeBack(e, read.lease(), lostNanos)) {
            continue;
          }
          throw e;
        }
        if (known.isEmpty()) {
          data.requireNoCluster(store);
        }
        if (read.isMissing() && read.version() != null) {
          // The survey has read it whole: it was damaged on its way, and is somebody's.
          Await.pause(world, config.beatEvery().dividedBy(10));
          continue;
        }
        Optional<Claiming.Won> won = claiming.claim(read);
        if (won.isPresent()) {
          return new Outcome.Leads(won.get(), known);
        }
        challenges += doubt.isEnough(config) ? 1 : 0;
        doubt = LeaderDoubt.NONE;
        if (challenges >= CHALLENGES_MAX) {
          throw unreachable(read.lease());
        }
      }
      Await.pause(world, config.beatEvery().dividedBy(10));
    }
  }

  /// A leader that lives puts back what somebody has deleted or damaged: the lease, of which nobody
  /// knows then whose it is, and states.
  private boolean mayComeBack(IncompleteStateException lost, Lease lease, long sinceNanos)
      throws InterruptedException {
    long waitMax = MENDED_LOOKS * config.leasePollEvery().toNanos();
    boolean mayLive = lost.key().equals(Lease.KEY) || !claiming.isFree(lease);
    if (!mayLive || world.clock().nanoTime() - sinceNanos > waitMax) {
      return false;
    }
    Await.pause(world, config.beatEvery().dividedBy(10));
    return true;
  }

  private MemberMessages.News ask(Lease lease) throws IOException, InterruptedException {
    return MemberMessages.News.of(
        peers.call(
            MemberCalls.Peer.leader(lease), MemberMessages.JOIN, join.json(), config.proposeMax()));
  }

  private static IOException unreachable(Lease lease) {
    return new IOException(
        "the node that leads the cluster in this store lives but cannot be reached: is its"
            + " network.publish_host right? [leader="
            + lease.leader()
            + ", address="
            + lease.address()
            + "]");
  }
}
