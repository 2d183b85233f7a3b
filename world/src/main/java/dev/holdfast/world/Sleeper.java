package dev.holdfast.world;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/// Waits that end with time. A world whose time is not the JDK's replaces all of them.
public interface Sleeper {
  void sleep(Duration duration) throws InterruptedException;

  /// Waits for a signal, at most so long; may also return for no reason.
  ///
  /// @param lock held by the caller, let go of meanwhile
  /// @param condition of that lock
  @FromTheWorld
  @SuppressWarnings("WaitNotInLoop") // the caller's loop
  default void await(Lock lock, Condition condition, Duration max) throws InterruptedException {
    long _ = condition.awaitNanos(max.toNanos());
  }

  /// The future's value.
  ///
  /// @throws TimeoutException when it has none after so long
  @FromTheWorld
  default <T> T get(CompletableFuture<T> future, Duration max)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(max.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Takes one of a bounded number of places.
  ///
  /// @return whether one was free within that time
  @FromTheWorld
  default boolean acquire(Semaphore places, Duration max) throws InterruptedException {
    return places.tryAcquire(max.toNanos(), TimeUnit.NANOSECONDS);
  }
}
