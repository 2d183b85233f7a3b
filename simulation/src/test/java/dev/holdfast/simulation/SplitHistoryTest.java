package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Indices that get more shards in troubled clusters.
final class SplitHistoryTest {
  private static final int SEEDS = 6;
  private static final int PLANTED_SEEDS_MAX = 60;

  @ParameterizedTest
  @EnumSource(ClusterShape.class)
  void nothingIsLostDoneTwiceOrShownInPart(ClusterShape shape) throws Exception {
    for (long seed = 1; seed <= SEEDS; seed++) {
      HistoryOutcome outcome = SplitHistory.of(seed, shape, Plant.NONE, null);
      assertThat(outcome.violations())
          .as("./holdfast simulate --splits --verbose --seeds 1 --from %s --shape %s", seed, shape)
          .isEmpty();
      if (seed == 1) {
        assertThat(SplitHistory.of(seed, shape, Plant.NONE, null)).isEqualTo(outcome);
      }
    }
  }

  /// Begins with the seed that found it when this was written.
  @ParameterizedTest
  @CsvSource({
    "ADDED_SHARD_FORGETS, EQUALS, 2",
    "DIVISION_FORGOTTEN, EQUALS, 29",
    "GIVEN_UP_TOO_LATE, TIERS, 1"
  })
  void aPlantedBugIsFound(Plant plant, ClusterShape shape, long first) throws Exception {
    boolean isFound = false;
    for (long seed = first; seed < first + PLANTED_SEEDS_MAX && !isFound; seed++) {
      isFound = !SplitHistory.of(seed, shape, plant, null).isGood();
    }
    assertThat(isFound).as("%s within %s seeds", plant, PLANTED_SEEDS_MAX).isTrue();
  }
}
