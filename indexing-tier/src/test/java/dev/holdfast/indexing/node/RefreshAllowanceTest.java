package dev.holdfast.indexing.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.indexing.node.LifeConfig.ManualRefreshes;
import dev.holdfast.world.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RefreshAllowanceTest {
  /// Time that passes when it is told to.
  private static final class Hand implements Clock {
    long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long epochMillis() {
      return nanos / 1_000_000;
    }
  }

  private static int take(RefreshAllowance allowance) {
    int taken = 0;
    while (allowance.tryTake()) {
      taken++;
    }
    return taken;
  }

  @Test
  void anHoursWorthMayBeSpentAtOnceAndThenOneInFiveSeconds() {
    // given
    Hand clock = new Hand();
    RefreshAllowance allowance = new RefreshAllowance(clock, ManualRefreshes.ofPaper(), 4L << 30);
    // then
    assertThat(take(allowance)).isEqualTo(720);
    clock.nanos += Duration.ofSeconds(11).toNanos();
    assertThat(take(allowance)).isEqualTo(2);
    clock.nanos += Duration.ofHours(5).toNanos();
    assertThat(take(allowance)).isBetween(719, 720);
  }

  @Test
  void twiceTheHeapEarnsTwice() {
    Hand clock = new Hand();

    RefreshAllowance allowance = new RefreshAllowance(clock, ManualRefreshes.ofPaper(), 8L << 30);

    assertThat(take(allowance)).isEqualTo(1440);
  }
}
