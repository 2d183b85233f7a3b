package dev.holdfast.autoscaler;

import dev.holdfast.world.Promise;
import java.time.Duration;

/// When a tier is made larger or smaller.
///
/// @param use the part of the cores that the load should keep busy
/// @param headroom that must be left when a tier is made smaller, as a part of load and memory (§7)
/// @param quiet for how long a smaller size must have been enough before the first step down (§7)
/// @param betweenSteps at least, so that a node has left before the next one goes
/// @param gapMax for how long nothing may be known before the quiet time begins anew
/// @param idleAfter without requests, the tier is not needed; zero when it always is
public record ScalingPolicy(
    double use,
    double headroom,
    Duration quiet,
    Duration betweenSteps,
    Duration gapMax,
    Duration idleAfter) {
  public ScalingPolicy {
    Promise.keep(use > 0 && use <= 1, "a part of the cores", "use", use);
    Promise.keep(headroom >= 0 && headroom <= 1, "a part", "headroom", headroom);
    Promise.keep(
        quiet.isPositive()
            && !betweenSteps.isNegative()
            && gapMax.isPositive()
            && !idleAfter.isNegative(),
        "times are not negative");
  }

  /// The paper's (§7), and three minutes for a node to leave.
  public static ScalingPolicy defaults() {
    return new ScalingPolicy(
        0.8,
        0.2,
        Duration.ofMinutes(30),
        Duration.ofMinutes(3),
        Duration.ofMinutes(1),
        Duration.ZERO);
  }

  public ScalingPolicy withQuiet(Duration time) {
    return new ScalingPolicy(use, headroom, time, betweenSteps, gapMax, idleAfter);
  }

  public ScalingPolicy withBetweenSteps(Duration time) {
    return new ScalingPolicy(use, headroom, quiet, time, gapMax, idleAfter);
  }

  public ScalingPolicy withIdleAfter(Duration time) {
    return new ScalingPolicy(use, headroom, quiet, betweenSteps, gapMax, time);
  }
}
