package dev.holdfast.world.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Pauses by a clock that only pauses move.
final class RetryPausesTest {
  private final World real = RealWorld.create();
  private final AtomicLong nanos = new AtomicLong();
  private final World world =
      new World(
          new Clock() {
            @Override
            public long nanoTime() {
              return nanos.get();
            }

            @Override
            public long epochMillis() {
              return nanos.get() / 1_000_000;
            }
          },
          duration -> nanos.addAndGet(duration.toNanos()),
          real.ids(),
          real.chance(),
          real.tasks());
  private final RetryPauses pauses = new RetryPauses(world, Duration.ofSeconds(1));

  @AfterEach
  void close() {
    real.tasks().close();
  }

  private long millis() {
    return nanos.get() / 1_000_000;
  }

  @Test
  void theyGrowUntilTheTimeIsOver() throws Exception {
    pauses.pause();
    assertThat(millis()).isEqualTo(20);
    for (int i = 0; i < 4; i++) {
      assertThat(pauses.isOver()).isFalse();
      assertThat(pauses.pauseUnless(() -> false)).isTrue();
    }
    assertThat(millis()).isEqualTo(20 + 40 + 80 + 160 + 320);
    pauses.pause();
    assertThat(millis()).isEqualTo(940);
    pauses.pause();
    assertThat(pauses.isOver()).isTrue();
  }

  /// Who waits for a node that starts would else notice it a third of a second late.
  @Test
  void newsBreakAPauseOffWhoseRestComesNext() throws Exception {
    pauses.pause();
    pauses.pause();
    pauses.pause(); // 80 ms: the next is of 160 ms

    assertThat(pauses.pauseUnless(() -> millis() >= 170)).isFalse();
    assertThat(millis()).isEqualTo(170);
    assertThat(pauses.pauseUnless(() -> millis() >= 200)).isFalse();
    assertThat(millis()).isEqualTo(200);
    // news that nobody can use make no pause shorter
    assertThat(pauses.pauseUnless(() -> false)).isTrue();
    assertThat(millis()).isEqualTo(140 + 160);
    assertThat(pauses.pauseUnless(() -> false)).isTrue();
    assertThat(millis()).isEqualTo(300 + 320);
  }
}
