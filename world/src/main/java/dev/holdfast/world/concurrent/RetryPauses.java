package dev.holdfast.world.concurrent;

import dev.holdfast.world.World;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Pauses between tries of what nodes may answer soon: from 20 ms to 320 ms, until a time is over.
public final class RetryPauses {
  private static final Duration MIN = Duration.ofMillis(20);
  private static final Duration MAX = Duration.ofMillis(320);

  /// Within a pause it is looked for news so often.
  private static final Duration LOOK = Duration.ofMillis(10);

  private final World world;
  private final long deadlineNanos;
  private Duration next = MIN;

  /// Of the pause that news have broken off.
  private Duration left = Duration.ZERO;

  /// @param max from now
  public RetryPauses(World world, Duration max) {
    this.world = world;
    this.deadlineNanos = world.clock().nanoTime() + max.toNanos();
  }

  public boolean isOver() {
    return world.clock().nanoTime() - deadlineNanos > 0;
  }

  public void pause() throws InterruptedException {
    Await.pause(world, begin());
  }

  /// Pauses until there are news that make another try worth while: then the next call goes on with
  /// what is left of the pause, lest news that change nothing make the pauses shorter.
  ///
  /// @return whether the pause is over
  public boolean pauseUnless(BooleanSupplier isNews) throws InterruptedException {
    Duration pause = left.isPositive() ? left : begin();
    long startNanos = world.clock().nanoTime();
    boolean hasNews = Await.until(world, pause, LOOK, isNews::getAsBoolean);
    left = hasNews ? pause.minusNanos(world.clock().nanoTime() - startNanos) : Duration.ZERO;
    return !left.isPositive();
  }

  private Duration begin() {
    Duration pause = next;
    next = next.compareTo(MAX) < 0 ? next.multipliedBy(2) : next;
    return pause;
  }
}
