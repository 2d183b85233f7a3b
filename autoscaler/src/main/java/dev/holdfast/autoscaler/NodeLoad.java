package dev.holdfast.autoscaler;

import java.time.Duration;

/// What a node of a tier has said of itself, of which anything may be wrong.
///
/// @param node whose it is, for what is told to people
/// @param load threads that its work would keep busy; above `threads` when more is queued than it
///   will soon have done
/// @param threads that it has for the work
/// @param age since it was said
public record NodeLoad(String node, double load, double threads, Duration age) {
  /// What is older is not known any more; until then it is the least that the load is.
  public static final Duration AGE_MAX = Duration.ofSeconds(60);

  /// No node asks for more than so many times what it has: [WorkLoad] is bounded alike.
  public static final double OVERLOAD_MAX = 3;

  static final double THREADS_MAX = 4096;

  /// Whether the figures can be true and are recent.
  public boolean isCredible() {
    return threads > 0
        && threads <= THREADS_MAX
        && load >= 0
        && load <= OVERLOAD_MAX * threads + 1e-6
        && !age.isNegative()
        && age.compareTo(AGE_MAX) <= 0;
  }
}
