package dev.holdfast.world.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AwaitTest {
  private static final Duration LOOK = Duration.ofMillis(1);

  private final World world = RealWorld.create();

  @AfterEach
  void close() {
    world.tasks().close();
  }

  /// Else this test never ends.
  @Test
  void aValueIsWaitedForAsLongAsAnybodyWantsIt() throws Exception {
    CompletableFuture<String> never = new CompletableFuture<>();
    AtomicInteger looks = new AtomicInteger();

    boolean isGiven =
        Await.given(world, never, Duration.ofDays(1_000), LOOK, () -> looks.incrementAndGet() == 3);

    assertThat(isGiven).isFalse();
    assertThat(looks).hasValue(3);
  }

  @Test
  void aValueThatIsThereIsGiven() throws Exception {
    CompletableFuture<String> there = CompletableFuture.completedFuture("x");

    assertThat(Await.given(world, there, Duration.ZERO, LOOK, () -> true)).isTrue();
    assertThat(Await.given(world, there, Duration.ofMillis(-1), LOOK, () -> true)).isTrue();
    assertThat(Await.given(world, new CompletableFuture<>(), Duration.ZERO, LOOK, () -> false))
        .isFalse();
  }
}
