package dev.holdfast.clusterstate;

import java.time.Duration;

/// Timings of a cluster. They decide *when* a node is given up, never whether that was safe: safety
/// rests on compare-and-set and fences alone (§5).
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
/// @param refusalsMax so many refused connections in a row, one a [#beatEvery], evict a member
/// @param acknowledgeMax how long an update waits for members that do not answer
/// @param proposeMax how long a follower waits for the answer to one proposal
/// @param updateMax how long a caller waits for its update
/// @param serveMax a node serves searches so long after a leader that it is in contact with has
///   seen that it leads, without looking at the lease; well below `leaseSilenceMax` and
///   `memberSilenceMax`, so that it has ended when another may be given what this node had
/// @param leaseReadEvery how often, at most, the lease is read to go on serving searches
/// @param drainMax how long a node that was told to stop waits for its shards to move away
public record ClusterConfig(
    Duration beatEvery,
    Duration beatMax,
    Duration callMax,
    int beatsMissedMax,
    Duration leasePollEvery,
    Duration leaseSilenceMax,
    Duration memberSilenceMax,
    int refusalsMax,
    Duration acknowledgeMax,
    Duration proposeMax,
    Duration updateMax,
    Duration serveMax,
    Duration leaseReadEvery,
    Duration drainMax) {

  public static ClusterConfig defaults() {
    return new ClusterConfig(
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        3,
        Duration.ofSeconds(4),
        Duration.ofSeconds(12),
        Duration.ofSeconds(15),
        3,
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Duration.ofSeconds(8),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30));
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
        refusalsMax,
        acknowledgeMax.dividedBy(times),
        proposeMax.dividedBy(times),
        updateMax,
        serveMax.dividedBy(times),
        leaseReadEvery.dividedBy(times),
        drainMax.dividedBy(times));
  }

  /// A challenger looks for the answer so often.
  Duration claimPollEvery() {
    return leasePollEvery.dividedBy(5);
  }
}
