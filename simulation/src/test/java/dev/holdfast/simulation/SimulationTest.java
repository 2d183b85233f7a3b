package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/// The simulation finds bugs that are there.
final class SimulationTest {
  private static final int SERVING_SEEDS_MAX = 60;

  @BeforeAll
  static void quiet() {
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
  }

  /// Found after 28 seeds at most when this was written.
  @ParameterizedTest
  @CsvSource({
    "LEASE_READ_BEFORE_UPLOAD, SOLO, 60",
    "FENCE_SKIPPED, SOLO, 60",
    "REPLAY_BEHIND_GAPS, EQUALS, 60",
    "DELETE_BEFORE_PUBLISH, SOLO, 10",
    "NOTICE_BEFORE_DURABILITY, SOLO, 60",
    "TELL_BEFORE_DURABLE, SOLO, 60",
    "IN_USE_REPORT_IGNORED, SOLO, 60",
    "IGNORE_GAPS, SOLO, 20",
    "DIE_ON_REFUSAL, SOLO, 60",
    "DROP_REFUSED_WRITE, SOLO, 60",
    "TREAT_LOST_STATE_AS_EMPTY, SOLO, 20",
    "APPLIED_TWICE, EQUALS, 60",
    "OWN_CONFLICT, EQUALS, 60",
    "ORIGIN_NOT_LOGGED, EQUALS, 100",
    "WAITS_FOR_THE_LEASE, TIERS, 60",
    "LOST_LEASE_STAYS_LOST, SOLO, 60",
    "STOPPED_BY_NOTES, SOLO, 20"
  })
  void aPlantedBugIsFound(Plant plant, ClusterShape shape, int seedsMax) throws Exception {
    boolean isFound = false;
    for (long seed = 1; seed <= seedsMax && !isFound; seed++) {
      isFound = !SimulatedHistory.of(seed, shape, plant, null).isGood();
    }
    assertThat(isFound).as(plant + " within " + seedsMax + " seeds").isTrue();
  }

  /// It needs nodes that can take each other's place.
  @Test
  void aNodeThatAnswersWithoutLimitIsFound() throws Exception {
    boolean isFound = false;
    for (long seed = 1; seed <= SERVING_SEEDS_MAX && !isFound; seed++) {
      isFound =
          !SimulatedHistory.of(seed, ClusterShape.TIERS, Plant.SERVES_WITHOUT_LIMIT, null).isGood();
    }
    assertThat(isFound).isTrue();
  }
}
