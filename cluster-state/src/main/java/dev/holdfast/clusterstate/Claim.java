package dev.holdfast.clusterstate;

import java.time.Duration;

/// Whether a node that wants to lead may do so now: a pure decision over what it has seen of the
/// lease. No wall clock takes part; staleness is "no change of the lease over my own monotonic
/// clock" (DESIGN §7).
///
/// The leader writes nothing while nobody doubts it. A node that starts and finds another's name in
/// the lease puts its own into `challenger`; a living leader reads the lease every [#POLL] and
/// answers with a beat. Silence for [#SILENCE_MAX] means it is dead; should it live all the same,
/// it is fenced, so safety never rests on this decision.
final class Claim {
  /// How often the leader reads the lease, and a challenger looks for the answer.
  static final Duration POLL = Duration.ofSeconds(5);

  /// Three polls missed.
  static final Duration SILENCE_MAX = Duration.ofSeconds(15);

  private Claim() {}

  /// What to do next.
  enum Step {
    /// Compare-and-set the lease to the next term.
    TAKE_OVER,
    /// Compare-and-set own name into `challenger`.
    CHALLENGE,
    /// Read the lease again later.
    WAIT,
    /// The leader lives.
    LEADER_LIVES
  }

  /// @param seen the newest lease
  /// @param first the lease as this node first saw it
  /// @param self this node's ephemeral id
  /// @param isLeaderKnownDead the leader was an earlier process of this very data folder, whose
  ///   lock this process holds
  /// @param unchanged how long the lease has not changed since this node's challenge was in it
  static Step decide(
      Lease seen, Lease first, String self, boolean isLeaderKnownDead, Duration unchanged) {
    if (seen.isCleanStop() || isLeaderKnownDead) {
      return Step.TAKE_OVER;
    }
    if (seen.term() != first.term() || seen.beat() != first.beat()) {
      return Step.LEADER_LIVES;
    }
    if (!seen.challenger().equals(self)) {
      return Step.CHALLENGE;
    }
    return unchanged.compareTo(SILENCE_MAX) >= 0 ? Step.TAKE_OVER : Step.WAIT;
  }
}
