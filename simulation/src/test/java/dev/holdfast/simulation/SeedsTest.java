package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// As many seeds as fit into a test run; `./holdfast simulate` runs more of them.
final class SeedsTest {
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 50);

  /// A node that starts while a leader puts back what somebody has deleted: the lease, or states.
  @ParameterizedTest
  @ValueSource(longs = {8000114, 9100208})
  void seedsThatFoundFaultsFindNone(long seed) throws Exception {
    HistoryOutcome outcome = SimulatedHistory.of(seed, ClusterShape.of(seed), Plant.NONE, null);

    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.acknowledged()).isPositive();
  }

  @Test
  void noSeedBreaksAPromise() throws Exception {
    List<String> broken = new ArrayList<>();
    long acknowledged = 0;
    long troubles = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      ClusterShape shape = ClusterShape.of(seed);
      HistoryOutcome outcome = SimulatedHistory.of(seed, shape, Plant.NONE, null);
      acknowledged += outcome.acknowledged();
      troubles += outcome.troubles();
      if (!outcome.isGood()) {
        broken.add(
            outcome.violations().getFirst()
                + "\nreplay: "
                + Simulate.replay(seed, shape, Plant.NONE));
      }
    }
    assertThat(broken).isEmpty();
    assertThat(acknowledged).isGreaterThan(SEEDS * 50L);
    assertThat(troubles).isGreaterThan(SEEDS * 3L);
  }
}
