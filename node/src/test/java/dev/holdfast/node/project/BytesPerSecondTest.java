package dev.holdfast.node.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Clock;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/// A clock turned by hand.
final class BytesPerSecondTest {
  private long nanos;
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return nanos;
        }

        @Override
        public long epochMillis() {
          return nanos / 1_000_000;
        }
      };

  @Test
  void whatIsTooMuchIsPaidByThoseBehindIt() {
    BytesPerSecond bytes = new BytesPerSecond(clock, "acme", 100);
    bytes.take(250); // more than a second has

    assertThatThrownBy(() -> bytes.take(1))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("project [acme] may send [100] bytes a second")
        .hasMessageContaining("retry in [2s]");
    nanos += 1_400_000_000L;
    assertThatThrownBy(() -> bytes.take(1)).isInstanceOf(Refusal.class);
    bytes.take(0); // what has no body waits for nothing
    nanos += 200_000_000L;
    bytes.take(10);
  }

  /// It would be read for longer than anybody waits.
  @Test
  void whatIsLongerThanAMinutesIsRefused() {
    BytesPerSecond bytes = new BytesPerSecond(clock, "acme", 100);
    assertThatThrownBy(() -> bytes.take(7000))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("no body of more than [60s]");
    bytes.take(6000); // the other owes nothing
  }

  @Test
  void noMoreThanASecondIsSaved() {
    BytesPerSecond bytes = new BytesPerSecond(clock, "acme", 100);
    nanos += 3_600_000_000_000L;
    bytes.take(100);
    assertThatThrownBy(() -> bytes.take(1)).isInstanceOf(Refusal.class);
  }

  @Test
  void whatIsLongIsReadNoFaster() {
    World real = RealWorld.create();
    World world =
        new World(
            clock, slept -> nanos += slept.toNanos(), real.ids(), real.chance(), real.tasks());
    LongConsumer pace = new BytesPerSecond(clock, "acme", 100).pace(world);
    pace.accept(0);
    pace.accept(100);
    assertThat(nanos).isZero();
    pace.accept(350);
    assertThat(nanos).isBetween(2_500_000_000L, 2_600_000_000L);
    long before = nanos;
    new BytesPerSecond(clock, "acme", 0).pace(world).accept(1 << 30);
    assertThat(nanos).isEqualTo(before);
  }

  @Test
  void withoutALimitAllComesIn() {
    BytesPerSecond bytes = new BytesPerSecond(clock, "acme", 0);
    bytes.take(Long.MAX_VALUE);
    bytes.take(Long.MAX_VALUE);
  }
}
