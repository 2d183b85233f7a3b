package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

final class StopSignalTest {
  private static final StopSignal CANCELLED = new StopSignal(() -> true, () -> false, () -> 7);
  private static final StopSignal LATE = new StopSignal(() -> false, () -> true, () -> 7);

  private record Standing(long nanoTime, long epochMillis) implements Clock {}

  private static int pollForEver() {
    for (int i = 0; i < 1_000; i++) {
      StopSignal.poll();
    }
    return 1_000;
  }

  private static int pollBuilding() {
    for (int i = 0; i < 1_000; i++) {
      StopSignal.pollForCancelling();
    }
    StopSignal.lookForCancelling();
    return 1_000;
  }

  @Test
  void nothingEndsAThreadThatHasNone() {
    assertThat(pollForEver()).isEqualTo(1_000);
    StopSignal.look();
    assertThat(StopSignal.nanoTime()).isZero();
  }

  @Test
  void aCancelledLoopEnds() {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> CANCELLED.<Integer, RuntimeException>during(() -> pollForEver()));
    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
    assertThatThrownBy(() -> CANCELLED.<Integer, RuntimeException>during(() -> pollBuilding()))
        .isInstanceOf(Refusal.class);
  }

  /// What comes after shall finish what there is.
  @Test
  void theEndOfTheTimeIsToldOnce() {
    StopSignal signal = new StopSignal(() -> false, () -> true, () -> 7);
    int polled =
        signal.<Integer, RuntimeException>during(() -> {
          assertThatThrownBy(StopSignalTest::pollForEver).isInstanceOf(StopSignal.TimeOver.class);
          return pollForEver();
        });
    assertThat(polled).isEqualTo(1_000);
  }

  @Test
  void whatIsBuiltIsNotCutByTime() {
    int polled = LATE.<Integer, RuntimeException>during(() -> pollBuilding());
    assertThat(polled).isEqualTo(1_000);
  }

  @Test
  void whatIsBoundBesideEndsAsTheOuterDoes() {
    Clock clock = new Standing(7, 7);
    assertThatThrownBy(() ->
            CANCELLED.<Integer, RuntimeException>during(() ->
                StopSignal.beside(() -> false, clock)
                    .<Integer, RuntimeException>during(StopSignalTest::pollForEver)))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() ->
            StopSignal.beside(() -> true, clock)
                .<Integer, RuntimeException>during(StopSignalTest::pollForEver))
        .isInstanceOf(Refusal.class);
    int polled =
        StopSignal.beside(() -> false, clock)
            .<Integer, RuntimeException>during(StopSignalTest::pollForEver);
    assertThat(polled).isEqualTo(1_000);
  }

  @Test
  void aReservationThatGrowsEndsWithItsRequest() {
    try (Reservation memory = Reservation.of(100 << 20)) {
      assertThatThrownBy(() ->
              CANCELLED.<Integer, RuntimeException>during(() -> {
                memory.add(1 << 20);
                return 0;
              }))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("task cancelled");
    }
  }

  @Test
  void whatIsHandedOnEndsOnItsThreadToo() throws Exception {
    Callable<Integer> free = () -> pollForEver();
    Callable<Integer> work =
        CANCELLED.<Callable<Integer>, RuntimeException>during(() -> StopSignal.handedOn(free));
    FutureTask<Integer> elsewhere = new FutureTask<>(work);
    Thread thread = Thread.ofPlatform().start(elsewhere);
    thread.join();

    assertThatThrownBy(elsewhere::get).cause().isInstanceOf(Refusal.class);
    assertThat(StopSignal.handedOn(free)).isSameAs(free);
  }
}
