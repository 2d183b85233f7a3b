package dev.holdfast.search.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SearchConfigTest {
  private final SearchConfig config = SearchConfig.of(2, 512 << 20);

  @Test
  void aSearchWaitsForAShardNoLongerThanItMayTake() {
    assertThat(config.openingMax(SearchConfig.NO_TIMEOUT)).isEqualTo(Duration.ofMinutes(1));
    assertThat(config.openingMax(20_000)).isEqualTo(Duration.ofSeconds(20));
    assertThat(config.openingMax(Long.MAX_VALUE)).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void butAsLongAsACopyThatSleepsMayNeed() {
    assertThat(config.openingMax(0)).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.openingMax(100)).isEqualTo(Duration.ofSeconds(5));
  }
}
