package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the findings of a simulation rest on: it repeats itself.
final class RepeatabilityTest {
  @ParameterizedTest
  @EnumSource(ClusterShape.class)
  void oneSeedIsOneHistory(ClusterShape shape) throws Exception {
    for (long seed = 1001; seed < 1003; seed++) {
      HistoryOutcome first = SimulatedHistory.of(seed, shape, Plant.NONE, null);
      assertThat(SimulatedHistory.of(seed, shape, Plant.NONE, null)).isEqualTo(first);
    }
  }

  /// Files register with the JDK's cleaner under a monitor that its own thread takes, too.
  @Test
  void whoElseIsBusyInTheJvmDoesNotShow() throws Exception {
    HistoryOutcome alone = SimulatedHistory.of(1001, ClusterShape.EQUALS, Plant.NONE, null);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread busy =
        Thread.ofPlatform()
            .start(() -> {
              while (!isOver.get()) {
                new Inflater().end();
              }
            });
    try {
      assertThat(SimulatedHistory.of(1001, ClusterShape.EQUALS, Plant.NONE, null)).isEqualTo(alone);
    } finally {
      isOver.set(true);
      busy.join();
    }
  }
}
