package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterConfig;

/// What a follower thinks of its leader after a beat: a pure step.
///
/// @param missed beats in a row without a good answer
record LeaderDoubt(int missed) {
  static final LeaderDoubt NONE = new LeaderDoubt(0);

  /// How a beat ended.
  enum Outcome {
    /// The leader answered.
    ANSWERED,
    /// No process, or another, lives at the leader's address.
    DEAD_END,
    /// No answer in time, or none of a leader.
    MISSED
  }

  LeaderDoubt after(Outcome outcome, ClusterConfig config) {
    return switch (outcome) {
      case ANSWERED -> NONE;
      case DEAD_END -> new LeaderDoubt(Math.max(missed + 1, config.beatsMissedMax()));
      case MISSED -> new LeaderDoubt(missed + 1);
    };
  }

  /// Whether it is time to challenge the leader.
  boolean isEnough(ClusterConfig config) {
    return missed >= config.beatsMissedMax();
  }
}
