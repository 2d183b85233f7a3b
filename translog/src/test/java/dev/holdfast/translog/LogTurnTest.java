package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.world.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Files that somebody asks for when the request budget is spent.
final class LogTurnTest {
  private long nanos;

  private final LogTurn turn =
      new LogTurn(
          new Clock() {
            @Override
            public long nanoTime() {
              return nanos;
            }

            @Override
            public long epochMillis() {
              return nanos / 1_000_000;
            }
          },
          LogConfig.defaults(),
          SpendingPace.unlimited());

  private int goneAtOnce(boolean isAskedFor) {
    int gone = 0;
    do {
      if (isAskedFor) {
        turn.hurry();
      }
    } while (turn.tryTake(nanos, 1, false) && gone++ < 1000);
    return gone;
  }

  /// A client that writes again and again to a shard of which no leader can be told.
  @Test
  void whoeverAlwaysAsksGetsSomeFilesAtOnceAndThenAFewASecond() {
    assertThat(goneAtOnce(false)).isEqualTo(LogConfig.defaults().putsBurst());
    assertThat(goneAtOnce(true)).isEqualTo(32);

    nanos += Duration.ofSeconds(1).toNanos();
    // One of them pays back what was borrowed, or nothing is left of the budget's own.
    assertThat(goneAtOnce(true)).isBetween(1, 6);
  }
}
