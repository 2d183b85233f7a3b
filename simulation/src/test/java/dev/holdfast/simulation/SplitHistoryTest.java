package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/// Indices that get more shards in troubled clusters.
final class SplitHistoryTest {
  private static final int SEEDS = 10;
  private static final int PLANTED_SEEDS_MAX = 60;

  @BeforeAll
  static void quiet() {
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
  }

  @ParameterizedTest
  @EnumSource(ClusterShape.class)
  void nothingIsLostDoneTwiceOrShownInPart(ClusterShape shape) throws Exception {
    for (long seed = 1; seed <= SEEDS; seed++) {
      HistoryOutcome outcome = SplitHistory.of(seed, shape, Plant.NONE, null);
      assertThat(outcome.violations())
          .as("./holdfast simulate --splits --verbose --seeds 1 --from %s --shape %s", seed, shape)
          .isEmpty();
      assertThat(SplitHistory.of(seed, shape, Plant.NONE, null)).isEqualTo(outcome);
    }
  }

  @ParameterizedTest
  @CsvSource({"ADDED_SHARD_FORGETS, EQUALS", "DIVISION_FORGOTTEN, EQUALS"})
  void aPlantedBugIsFound(Plant plant, ClusterShape shape) throws Exception {
    boolean isFound = false;
    for (long seed = 1; seed <= PLANTED_SEEDS_MAX && !isFound; seed++) {
      isFound = !SplitHistory.of(seed, shape, plant, null).isGood();
    }
    assertThat(isFound).as("%s within %s seeds", plant, PLANTED_SEEDS_MAX).isTrue();
  }
}
