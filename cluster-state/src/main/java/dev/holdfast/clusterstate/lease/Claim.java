package dev.holdfast.clusterstate.lease;

import dev.holdfast.clusterstate.ClusterConfig;
import java.time.Duration;

/// Whether a node that wants to lead may do so now: a pure decision over what it has seen of the
/// lease. No wall clock takes part; staleness is "no change of the lease over my own monotonic
/// clock" (DESIGN §7).
///
/// The leader writes nothing while nobody doubts it. A node that finds a leader which does not
/// answer puts its own name into `challenger`; a living leader reads the lease now and then and
/// answers with a beat. A challenge, whoever made it, that stays unanswered for long enough means
/// that the leader is dead; should it live all the same, it is fenced, so safety never rests on
/// this decision.
final class Claim {
  private Claim() {}

  /// What to do next.
  enum Step {
    /// Compare-and-set the lease to the next term.
    TAKE_OVER,
    /// Compare-and-set own name into `challenger`.
    CHALLENGE,
    /// Read the lease again later.
    WAIT,
    /// The leader lives, or there is another by now.
    LEADER_LIVES
  }

  /// @param seen the newest lease
  /// @param first the lease as this node first saw it
  /// @param isLeaderKnownDead the leader was an earlier process of this very data folder, whose
  ///   lock this process holds
  /// @param unanswered how long this node has seen a challenge in the lease and no other change
  static Step decide(
      Lease seen,
      Lease first,
      boolean isLeaderKnownDead,
      Duration unanswered,
      ClusterConfig config) {
    if (seen.term() != first.term()) {
      return Step.LEADER_LIVES;
    }
    if (seen.isCleanStop() || isLeaderKnownDead) {
      return Step.TAKE_OVER;
    }
    if (seen.beat() != first.beat()) {
      return Step.LEADER_LIVES;
    }
    if (seen.challenger().isEmpty()) {
      return Step.CHALLENGE;
    }
    return unanswered.compareTo(config.leaseSilenceMax()) >= 0 ? Step.TAKE_OVER : Step.WAIT;
  }
}
