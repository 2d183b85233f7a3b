package dev.holdfast.search.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.world.Breakers;
import dev.holdfast.world.HeapUse;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

final class HeapPollTest {
  /// A heap that others fill for some time.
  private static final class Full implements HeapUse.Source {
    private final long untilNanos;
    private long nanos;
    private long pauses;
    private Runnable onPause = () -> {};

    private Full(long untilNanos) {
      this.untilNanos = untilNanos;
    }

    @Override
    public long alive() {
      return nanos < untilNanos ? 150 : 0;
    }

    @Override
    public long collections() {
      return pauses;
    }

    @Override
    public long wholeCollections() {
      return pauses;
    }

    @Override
    public long free() {
      return 0;
    }

    @Override
    public long room() {
      return 100;
    }

    @Override
    public void collect() {}

    @Override
    public long stoppedNanos() {
      return 0;
    }

    @Override
    public void pause(long pauseNanos) {
      nanos += pauseNanos;
      pauses++;
      onPause.run();
    }

    @Override
    public long nanoTime() {
      return nanos;
    }
  }

  /// Asks as often as a loop of a search does; it is what the wait asks whether to end, too.
  private static boolean ask(Full full) {
    Breakers breakers = Breakers.of(full, 1_000);
    try (Reservation memory = breakers.request().beginRequest("<search>")) {
      BooleanSupplier isOver = HeapPoll.with(breakers.heap(), memory, () -> false);
      full.onPause =
          () -> {
            for (int i = 0; i < 100; i++) {
              Promise.keep(!isOver.getAsBoolean(), "other threads of the search go on");
            }
          };
      return new StopSignal(isOver, () -> false, full::nanoTime)
          .<Boolean, RuntimeException>during(() -> {
            boolean isAnyOver = false;
            for (int i = 0; i < 100; i++) {
              isAnyOver |= isOver.getAsBoolean();
            }
            return isAnyOver;
          });
    }
  }

  @Test
  void aSmallSearchWaitsForRoom() {
    Full full = new Full(1_000_000_000);

    assertThat(ask(full)).isFalse();

    assertThat(full.nanos).as("no longer than that").isEqualTo(1_000_000_000);
  }

  @Test
  void forTwoSeconds() {
    Full full = new Full(Long.MAX_VALUE);

    assertThat(catchThrowableOfType(Refusal.class, () -> ask(full))).isNotNull();

    assertThat(full.nanos).isEqualTo(2_000_000_000);
  }
}
