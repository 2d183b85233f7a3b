package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterConfig;
import java.time.Duration;

/// When a leader leaves a challenge unanswered and evicts nobody: a pure decision. It hears less
/// than half of the members, itself counted, while somebody reaches the lease and doubts it: then
/// it is the leader that is cut off, and if it answered for its lease it would evict a cluster that
/// lives. Safety never rests on this decision: whoever takes over fences it.
final class Yielding {
  /// A challenger that has not taken over after so many times the silence it waits for is dead.
  private static final int PATIENCE = 2;

  private Yielding() {}

  /// @param members of the cluster, the leader among them
  /// @param silent those of them that have not been heard for [ClusterConfig#contactMax]
  /// @param unanswered for how long the challenge has been left so
  static boolean isDue(int members, int silent, Duration unanswered, ClusterConfig config) {
    return silent * 2 > members
        && unanswered.compareTo(config.leaseSilenceMax().multipliedBy(PATIENCE)) < 0;
  }
}
