package dev.holdfast.world.concurrent;

import dev.holdfast.world.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Waits for a state that nobody signals: looks again and again until it is there or the time is
/// over.
public final class Await {
  private Await() {}

  /// A state that is there or not yet.
  @FunctionalInterface
  public interface State<X extends Exception> {
    boolean isThere() throws X, InterruptedException;
  }

  /// Something that is there or not yet.
  @FunctionalInterface
  public interface Sought<T, X extends Exception> {
    /// Null while it is not there.
    @Nullable T find() throws X, InterruptedException;
  }

  /// Looks at once, and then after each pause.
  ///
  /// @param max how long to wait; nothing or less: look once
  /// @return whether the state was there within the time
  /// @throws X what looking throws ends the wait
  public static <X extends Exception> boolean until(
      World world, Duration max, Duration pause, State<X> state) throws X, InterruptedException {
    return Await.<Boolean, X>found(world, max, pause, () -> state.isThere() ? true : null) != null;
  }

  /// Looks at once, and then after each pause.
  ///
  /// @param max how long to wait; nothing or less: look once
  /// @return what was found; null when nothing was within the time
  /// @throws X what looking throws ends the wait
  public static <T, X extends Exception> @Nullable T found(
      World world, Duration max, Duration pause, Sought<T, X> sought)
      throws X, InterruptedException {
    long deadlineNanos = world.clock().nanoTime() + max.toNanos();
    while (true) {
      T found = sought.find();
      if (found != null) {
        return found;
      }
      long leftNanos = deadlineNanos - world.clock().nanoTime();
      if (leftNanos <= 0) {
        return null;
      }
      pause(world, Duration.ofNanos(Math.min(leftNanos, pause.toNanos())));
    }
  }

  /// Waits for a value, as long as anybody wants it: whoever asked may leave long before the time
  /// that it allowed is over.
  ///
  /// @param max how long to wait
  /// @param look how often it is asked whether nobody waits any more
  /// @return whether the value was there within the time
  /// @throws ExecutionException when there is a failure instead
  public static boolean given(
      World world,
      CompletableFuture<?> value,
      Duration max,
      Duration look,
      BooleanSupplier isGivenUp)
      throws InterruptedException, ExecutionException {
    long startNanos = world.clock().nanoTime();
    while (true) {
      long leftNanos = max.toNanos() - (world.clock().nanoTime() - startNanos);
      boolean isLast = leftNanos <= look.toNanos();
      Duration next = isLast ? Duration.ofNanos(Math.max(0, leftNanos)) : look;
      try {
        var _ = world.sleeper().get(value, next);
        return true;
      } catch (TimeoutException e) {
        if (isLast || isGivenUp.getAsBoolean()) {
          return false;
        }
      }
    }
  }

  /// Lets time pass: between two tries of what may fail for long, or to keep a pace. Who waits for
  /// a state, an answer or a signal has a better way; so the classes that may call this are listed,
  /// each with its reason (`pauses.txt` in module `architecture`).
  public static void pause(World world, Duration pause) throws InterruptedException {
    world.sleeper().sleep(pause);
  }
}
