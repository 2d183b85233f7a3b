package dev.holdfast.world.concurrent;

import dev.holdfast.world.World;
import java.time.Duration;

/// Waits for a state that nobody signals: looks again and again until it is there or the time is
/// over.
public final class Await {
  private Await() {}

  /// A state that is there or not yet.
  @FunctionalInterface
  public interface State<X extends Exception> {
    boolean isThere() throws X;
  }

  /// Looks at once, and then after each pause.
  ///
  /// @param max how long to wait; nothing or less: look once
  /// @return whether the state was there within the time
  /// @throws X what looking throws ends the wait
  public static <X extends Exception> boolean until(
      World world, Duration max, Duration pause, State<X> state) throws X, InterruptedException {
    long deadlineNanos = world.clock().nanoTime() + max.toNanos();
    while (!state.isThere()) {
      long leftNanos = deadlineNanos - world.clock().nanoTime();
      if (leftNanos <= 0) {
        return false;
      }
      world.sleeper().sleep(Duration.ofNanos(Math.min(leftNanos, pause.toNanos())));
    }
    return true;
  }
}
