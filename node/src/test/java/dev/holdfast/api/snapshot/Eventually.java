package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.real.RealWorld;
import java.time.Duration;
import java.util.concurrent.Callable;

/// What a node does by itself, some time.
final class Eventually {
  private static final Duration MAX = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private Eventually() {}

  static void holds(Callable<Boolean> state) throws Exception {
    assertThat(Await.<Exception>until(RealWorld.create(), MAX, PAUSE, state::call)).isTrue();
  }
}
