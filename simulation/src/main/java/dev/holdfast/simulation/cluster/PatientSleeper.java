package dev.holdfast.simulation.cluster;

import dev.holdfast.world.Sleeper;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/// Waits for values without end where others go on after a while.
///
/// @param impatience the bound that is not kept
record PatientSleeper(Sleeper sleeper, Duration impatience) implements Sleeper {
  private static final Duration LONG = Duration.ofDays(1);

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    sleeper.sleep(duration);
  }

  @Override
  public void await(Lock lock, Condition condition, Duration max) throws InterruptedException {
    sleeper.await(lock, condition, max);
  }

  @Override
  public <T> T get(CompletableFuture<T> future, Duration max)
      throws InterruptedException, ExecutionException, TimeoutException {
    return sleeper.get(future, max.equals(impatience) ? LONG : max);
  }
}
