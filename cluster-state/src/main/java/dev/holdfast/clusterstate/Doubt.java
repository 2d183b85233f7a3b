package dev.holdfast.clusterstate;

/// What a follower thinks of its leader after a beat: a pure step.
///
/// @param missed beats in a row without a good answer
record Doubt(int missed) {
  static final Doubt NONE = new Doubt(0);

  /// How a beat ended.
  enum Outcome {
    /// The leader answered.
    ANSWERED,
    /// No process, or another, lives at the leader's address.
    DEAD_END,
    /// No answer in time, or none of a leader.
    MISSED
  }

  Doubt after(Outcome outcome, ClusterConfig config) {
    return switch (outcome) {
      case ANSWERED -> NONE;
      case DEAD_END -> new Doubt(Math.max(missed + 1, config.beatsMissedMax()));
      case MISSED -> new Doubt(missed + 1);
    };
  }

  /// Whether it is time to challenge the leader.
  boolean isEnough(ClusterConfig config) {
    return missed >= config.beatsMissedMax();
  }
}
