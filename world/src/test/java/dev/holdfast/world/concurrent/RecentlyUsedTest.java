package dev.holdfast.world.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RecentlyUsedTest {
  private final RecentlyUsed<String, Integer> values = new RecentlyUsed<>(3, 100);

  @Test
  void theOneThatWasWantedLongestAgoGoesFirst() {
    values.keep("a", 1, 1);
    values.keep("b", 2, 1);
    values.keep("c", 3, 1);
    assertThat(values.find("a")).isEqualTo(1);

    values.keep("d", 4, 1);

    assertThat(values.find("b")).isNull();
    assertThat(values.find("a")).isEqualTo(1);
    assertThat(values.count()).isEqualTo(3);
    assertThat(values.evictions()).isEqualTo(1);
  }

  @Test
  void largeOnesLeaveRoomForFew() {
    values.keep("a", 1, 40);
    values.keep("b", 2, 40);

    values.keep("c", 3, 50);

    assertThat(values.find("a")).isNull();
    assertThat(values.find("b")).isEqualTo(2);
    assertThat(values.find("c")).isEqualTo(3);
  }

  @Test
  void oneThatIsTooLargeIsNotKeptAndTakesNoPlace() {
    values.keep("a", 1, 40);

    values.keep("b", 2, 101);

    assertThat(values.find("b")).isNull();
    assertThat(values.find("a")).isEqualTo(1);
  }

  @Test
  void oneThatIsKeptAgainCountsOnce() {
    for (int i = 0; i < 10; i++) {
      values.keep("a", i, 40);
    }
    values.keep("b", 1, 60);

    assertThat(values.find("a")).isEqualTo(9);
    assertThat(values.evictions()).isZero();
  }
}
