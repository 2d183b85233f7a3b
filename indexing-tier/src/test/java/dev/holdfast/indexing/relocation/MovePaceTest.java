package dev.holdfast.indexing.relocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How long owners serve on while the target of a move warms up.
final class MovePaceTest {
  @ParameterizedTest
  @CsvSource({
    "false, 0, 1000", // a second move that begins with the first
    "false, 400, 600",
    "false, 900, 300",
    "false, 60000, 300",
    "true, 0, 300",
    "true, 200, 100",
    "true, 60000, 0"
  })
  void theFirstThatATargetGetsWaitLongest(
      boolean isStopping, long sinceFirstMillis, long pauseMillis) {
    MovePace pace = new MovePace();
    Duration first = pace.pause("target", isStopping, 0);
    Duration next = pace.pause("target", isStopping, Duration.ofMillis(sinceFirstMillis).toNanos());

    assertThat(first).isEqualTo(isStopping ? MovePace.LATER : MovePace.FIRST);
    assertThat(Math.max(0, next.toMillis())).isEqualTo(pauseMillis);
    assertThat(pace.pause("", isStopping, 0)).isZero();
  }
}
