package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Clock;
import org.junit.jupiter.api.Test;

/// How many requests a log may send.
class RequestBudgetTest {
  /// A clock that somebody sets.
  private static final class SetClock implements Clock {
    private long nanos = 7;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long epochMillis() {
      return 0;
    }

    void passes(long millis) {
      nanos += millis * 1_000_000;
    }
  }

  private final SetClock clock = new SetClock();

  private static int taken(RequestBudget budget) {
    int count = 0;
    while (budget.tryTake()) {
      count++;
    }
    return count;
  }

  @Test
  void aBurstIsSpentAndComesBackWithTime() {
    RequestBudget budget = new RequestBudget(clock, 2, 5);

    assertThat(taken(budget)).isEqualTo(5);
    clock.passes(499);
    assertThat(taken(budget)).isZero();
    clock.passes(1);
    assertThat(taken(budget)).isEqualTo(1);
    clock.passes(1_500);
    assertThat(taken(budget)).isEqualTo(3);
  }

  @Test
  void noMoreIsSavedUpThanABurst() {
    RequestBudget budget = new RequestBudget(clock, 2, 5);

    clock.passes(60_000);

    assertThat(taken(budget)).isEqualTo(5);
  }

  @Test
  void whatIsTakenAnywayIsOwed() {
    RequestBudget budget = new RequestBudget(clock, 2, 2);
    assertThat(taken(budget)).isEqualTo(2);

    budget.takeAnyway();
    clock.passes(500);
    assertThat(taken(budget)).isZero();
    clock.passes(500);
    assertThat(taken(budget)).isEqualTo(1);
  }

  @Test
  void noMoreIsOwedThanABurst() {
    RequestBudget budget = new RequestBudget(clock, 2, 2);

    for (int i = 0; i < 100; i++) {
      budget.takeAnyway();
    }
    clock.passes(1_499);
    assertThat(taken(budget)).isZero();
    clock.passes(1);

    assertThat(taken(budget)).isEqualTo(1);
  }

  @Test
  void whoHasNoLimitMayAlways() {
    RequestBudget budget = new RequestBudget(clock, Double.POSITIVE_INFINITY, 0);

    assertThat(budget.tryTake()).isTrue();
    assertThat(budget.tryTake()).isTrue();
  }
}
