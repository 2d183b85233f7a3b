package dev.holdfast.simulation.fortnight;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two weeks of data streams; `./holdfast simulate --fortnight` has more seeds.
class FortnightTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void streamsAreCutKeptAndShardedAsTheFormulasSay(long seed) {
    FortnightOutcome outcome = Fortnight.of(seed, FortnightPlant.NONE);
    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.deaths()).isPositive();
  }

  @Test
  void aSeedIsOneHistory() {
    assertThat(Fortnight.of(4, FortnightPlant.NONE))
        .isEqualTo(Fortnight.of(4, FortnightPlant.NONE));
  }

  @Test
  void whatIsPlantedIsFound() {
    assertThat(Fortnight.of(5, FortnightPlant.DELETES_WHAT_IS_YOUNG).violations())
        .singleElement()
        .asString()
        .contains("after its last document");
    assertThat(Fortnight.of(6, FortnightPlant.KEEPS_WHAT_IS_OLD).violations())
        .singleElement()
        .asString()
        .contains("after it was rolled over");
  }
}
