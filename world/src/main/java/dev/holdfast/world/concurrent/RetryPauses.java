package dev.holdfast.world.concurrent;

import dev.holdfast.world.World;
import java.time.Duration;

/// Pauses between tries of what nodes may answer soon: from 20 ms to 320 ms, until a time is over.
public final class RetryPauses {
  private static final Duration MIN = Duration.ofMillis(20);
  private static final Duration MAX = Duration.ofMillis(320);

  private final World world;
  private final long deadlineNanos;
  private Duration next = MIN;

  /// @param max from now
  public RetryPauses(World world, Duration max) {
    this.world = world;
    this.deadlineNanos = world.clock().nanoTime() + max.toNanos();
  }

  public boolean isOver() {
    return world.clock().nanoTime() - deadlineNanos > 0;
  }

  public void pause() throws InterruptedException {
    Await.pause(world, next);
    next = next.compareTo(MAX) < 0 ? next.multipliedBy(2) : next;
  }
}
