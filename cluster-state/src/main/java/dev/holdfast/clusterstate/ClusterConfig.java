package dev.holdfast.clusterstate;

import java.time.Duration;

/// Timings of a cluster. They decide *when* a node is given up, and until when a node answers
/// without asking; that a node which was given up writes nothing rests on compare-and-set and
/// fences alone (§5).
///
/// Whoever answers searches and real-time gets has ended before another may be given what it had:
/// `contactMax` is shorter than any silence that evicts a member, `serveMax` than the silence that
/// hands the lease over, each by what clocks may differ in rate. The constructor refuses others.
///
/// @param beatEvery how often a follower tells the leader that it lives
/// @param beatMax how long the answer to a beat may take
/// @param callMax how long the answer to a new state, or to another call, may take
/// @param beatsMissedMax so many beats in a row without an answer, and a follower doubts its
///   leader: it challenges the lease, which is the real test; a refused connection makes it doubt
///   at once
/// @param leasePollEvery how often the leader reads the lease to answer those who doubt it
/// @param leaseSilenceMax a challenge unanswered for so long hands the lease over
/// @param memberSilenceMax a member without a beat for so long is evicted
/// @param refusedSilenceMax the same of a member whose address refuses connections: no process is
///   there
/// @param refusalsMax so many refused connections in a row show that
/// @param acknowledgeMax how long an update waits for members that do not answer
/// @param proposeMax how long a follower waits for the answer to one proposal
/// @param updateMax how long a caller waits for its update
/// @param contactMax a node answers searches so long after it asked the leader, who confirmed it,
///   without looking at the lease
/// @param serveMax and so long after that leader has seen that it leads
/// @param leaseReadMax how long an answer waits for a look at the lease, when it needs one
/// @param drainMax how long a node that was told to stop waits for its shards to move away
public record ClusterConfig(
    Duration beatEvery,
    Duration beatMax,
    Duration callMax,
    int beatsMissedMax,
    Duration leasePollEvery,
    Duration leaseSilenceMax,
    Duration memberSilenceMax,
    Duration refusedSilenceMax,
    int refusalsMax,
    Duration acknowledgeMax,
    Duration proposeMax,
    Duration updateMax,
    Duration contactMax,
    Duration serveMax,
    Duration leaseReadMax,
    Duration drainMax) {

  /// Of two clocks one may run slower by a tenth; real ones differ by a five-thousandth.
  private static final int CLOCK_RATE_PERCENT = 110;

  /// Looks at the lease that a leader has before its silence counts.
  private static final int LOOKS_MIN = 3;

  /// @throws IllegalArgumentException when a node could answer for what another has been given, or
  ///   a leader that lives could be replaced
  public ClusterConfig {
    requireEndsBefore("contact_max", contactMax, "refused_silence_max", refusedSilenceMax);
    requireEndsBefore("contact_max", contactMax, "member_silence_max", memberSilenceMax);
    requireEndsBefore("serve_max", serveMax, "lease_silence_max", leaseSilenceMax);
    if (leasePollEvery.multipliedBy(LOOKS_MIN).compareTo(leaseSilenceMax) > 0) {
      throw new IllegalArgumentException(
          "cluster.lease_silence_max must be at least "
              + LOOKS_MIN
              + " times cluster.lease_poll_every, or leaders that live are replaced"
              + " [lease_silence_max="
              + leaseSilenceMax
              + ", lease_poll_every="
              + leasePollEvery
              + "]");
    }
  }

  private static void requireEndsBefore(
      String serving, Duration serves, String silence, Duration silent) {
    if (byAnyClock(serves).compareTo(silent) >= 0) {
      throw new IllegalArgumentException(
          "cluster."
              + serving
              + " must be shorter than cluster."
              + silence
              + " by a tenth and more, or stale answers are given ["
              + serving
              + "="
              + serves
              + ", "
              + silence
              + "="
              + silent
              + "]");
    }
  }

  public static ClusterConfig defaults() {
    return new ClusterConfig(
        Duration.ofMillis(500),
        Duration.ofMillis(500),
        Duration.ofSeconds(5),
        2,
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        Duration.ofSeconds(4),
        Duration.ofMillis(1_400),
        2,
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Duration.ofMillis(1_250),
        Duration.ofMillis(2_700),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30));
  }

  /// A time that another node measures has passed when this one has by this node's clock.
  public static Duration byAnyClock(Duration time) {
    return time.multipliedBy(CLOCK_RATE_PERCENT).dividedBy(100);
  }

  /// The same proportions, so many times as fast: for tests.
  public ClusterConfig faster(int times) {
    return new ClusterConfig(
        beatEvery.dividedBy(times),
        beatMax.dividedBy(times),
        callMax.dividedBy(times),
        beatsMissedMax,
        leasePollEvery.dividedBy(times),
        leaseSilenceMax.dividedBy(times),
        memberSilenceMax.dividedBy(times),
        refusedSilenceMax.dividedBy(times),
        refusalsMax,
        acknowledgeMax.dividedBy(times),
        proposeMax.dividedBy(times),
        updateMax,
        contactMax.dividedBy(times),
        serveMax.dividedBy(times),
        leaseReadMax.dividedBy(times),
        drainMax.dividedBy(times));
  }

  /// A leader looks so often whether a member is silent for too long.
  public Duration watchEvery() {
    return beatEvery.dividedBy(5);
  }

  /// A challenger looks for the answer so often.
  public Duration claimPollEvery() {
    return leasePollEvery.dividedBy(5);
  }

  /// A leader looks so often whether the states that it wrote are still in the store. A LIST each:
  /// some 20 cents a month.
  public Duration stateLookEvery() {
    return leasePollEvery.multipliedBy(60);
  }

  /// A leader that looks after its members so late has stood still: it heard nobody because it did
  /// not listen.
  public Duration sleptMin() {
    return acknowledgeMax.plus(beatEvery).plus(beatMax);
  }
}
