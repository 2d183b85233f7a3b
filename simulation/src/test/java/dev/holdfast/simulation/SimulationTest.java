package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The simulation finds bugs that are there.
final class SimulationTest {
  private static final int SEEDS_MAX = 60;

  /// Begins with the seed that found it when this was written.
  @ParameterizedTest
  @CsvSource({
    "LEASE_READ_BEFORE_UPLOAD, SOLO, 1",
    "FENCE_SKIPPED, SOLO, 2",
    "REPLAY_BEHIND_GAPS, EQUALS, 3",
    "DELETE_BEFORE_PUBLISH, SOLO, 1",
    "NOTICE_BEFORE_DURABILITY, SOLO, 8",
    "TELL_BEFORE_DURABLE, SOLO, 4",
    "IN_USE_REPORT_IGNORED, SOLO, 23",
    "IGNORE_GAPS, SOLO, 1",
    "DIE_ON_REFUSAL, SOLO, 3",
    "DROP_REFUSED_WRITE, SOLO, 8",
    "TREAT_LOST_STATE_AS_EMPTY, SOLO, 1",
    "APPLIED_TWICE, EQUALS, 5",
    "OWN_CONFLICT, EQUALS, 1",
    "ORIGIN_NOT_LOGGED, EQUALS, 6",
    "WAITS_FOR_THE_LEASE, TIERS, 1",
    "LOST_LEASE_STAYS_LOST, SOLO, 15",
    "STOPPED_BY_NOTES, SOLO, 1",
    "SERVES_WITHOUT_LIMIT, TIERS, 2"
  })
  void aPlantedBugIsFound(Plant plant, ClusterShape shape, long first) throws Exception {
    boolean isFound = false;
    for (long seed = first; seed < first + SEEDS_MAX && !isFound; seed++) {
      isFound = !SimulatedHistory.of(seed, shape, plant, null).isGood();
    }
    assertThat(isFound).as("%s within %s seeds", plant, SEEDS_MAX).isTrue();
  }
}
