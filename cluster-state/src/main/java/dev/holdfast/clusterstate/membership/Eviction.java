package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterConfig;
import java.time.Duration;

/// When a leader gives a member up: a pure decision. A wrong one costs a restart, never a write:
/// the member is fenced before its shards go elsewhere (§5).
final class Eviction {
  /// Beats that may be late before the leader asks.
  private static final int LATE_BEATS = 2;

  private Eviction() {}

  /// Whether this process stood still: then it heard nobody because it did not listen.
  ///
  /// @param sinceLook since it last looked after its members
  static boolean hasSlept(Duration sinceLook, ClusterConfig config) {
    return sinceLook.compareTo(config.sleptMin()) > 0;
  }

  /// Whether the leader should ask the member if it lives.
  static boolean asksFor(Duration silence, ClusterConfig config) {
    return silence.compareTo(config.beatEvery().multipliedBy(LATE_BEATS)) > 0;
  }

  /// A refused connection says that no process is there, and a firewall may say it too: also then
  /// the member has its time to end what it answers.
  ///
  /// Who said that it answers for longer has that time, by any clock.
  ///
  /// @param silence since the last sign of life
  /// @param refusals connections refused in a row since then
  /// @param contactMax so long the member answers without having heard from its leader
  static boolean isDue(Duration silence, int refusals, Duration contactMax, ClusterConfig config) {
    boolean isRefused = refusals >= config.refusalsMax();
    Duration max = isRefused ? config.refusedSilenceMax() : config.memberSilenceMax();
    return silence.compareTo(max) > 0
        && silence.compareTo(ClusterConfig.byAnyClock(contactMax)) > 0;
  }
}
