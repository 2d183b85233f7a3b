package dev.holdfast.simulation.fortnight;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The first days of fortnights with nodes and documents; `./holdfast simulate --fortnight` lives
/// all of them.
final class ClusterFortnightTest {
  @Test
  void everyAcknowledgedDocumentIsThereUntilItsTimeAndASeedIsOneHistory() throws Exception {
    FortnightOutcome outcome = ClusterFortnight.of(1, FortnightPlant.NONE, 2, null);

    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.found()).isGreaterThan(40);
    assertThat(ClusterFortnight.of(1, FortnightPlant.NONE, 2, null)).isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource({
    "11, ACKNOWLEDGES_AT_ONCE, an acknowledged document",
    "11, COUNTS_FROM_CREATION, an acknowledged document is deleted",
    "11, MISSES_WHEN_DOWNSAMPLED, a series does not add up to its documents"
  })
  void whatIsPlantedIsFound(long seed, FortnightPlant plant, String how) throws Exception {
    assertThat(ClusterFortnight.of(seed, plant, Fortnight.DAYS, null).violations())
        .singleElement()
        .asString()
        .contains(how);
  }
}
