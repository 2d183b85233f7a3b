package dev.holdfast.autoscaler.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.autoscaler.NodeSize;
import dev.holdfast.autoscaler.ScalingPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The goals of autoscaling, for a day of each load.
class ReplayTest {
  @ParameterizedTest
  @EnumSource
  void requestsAreSeldomSlowAndHalfOfAFleetForThePeakIsEnoughWhereThereIsAPeak(ReplayedLoad load) {
    Replay.Outcome day = Replay.of(load, NodeSize.ofCores(4), ScalingPolicy.defaults(), 7);
    assertThat(day.slowPart()).isLessThanOrEqualTo(0.01);
    assertThat(day.turns()).isLessThanOrEqualTo(2);
    if (load == ReplayedLoad.NOISY_CONSTANT) {
      assertThat(day.part()).as("its headroom is paid for").isBetween(0.8, 1.3);
    } else {
      assertThat(day.part()).isLessThanOrEqualTo(0.5);
    }
  }
}
