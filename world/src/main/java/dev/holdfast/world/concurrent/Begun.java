package dev.holdfast.world.concurrent;

import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Work begun on a virtual thread, whose value is wanted later, maybe by several. What it throws is
/// told to whoever asks for the value, and to nobody else.
public final class Begun<T> {
  private final World world;
  private final CompletableFuture<T> result = new CompletableFuture<>();

  /// While it runs: who waits for thousands of values would else hold as many threads that have
  /// ended.
  private volatile Tasks.@Nullable Task task;

  private Begun(World world) {
    this.world = world;
  }

  /// Begins it; it runs with the caller's [Patience].
  ///
  /// @param name of the thread
  public static <T> Begun<T> of(World world, String name, Callable<T> work) {
    Begun<T> begun = new Begun<>(world);
    Callable<T> patient = Patience.SHARD.handedOn(Patience.LEADER.handedOn(work));
    begun.task = world.tasks().start(name, () -> begun.run(patient));
    if (begun.isDone()) {
      begun.task = null;
    }
    return begun;
  }

  /// Work that the caller's own thread has done.
  static <T> Begun<T> here(World world, Callable<T> work) throws InterruptedException {
    Begun<T> done = new Begun<>(world);
    try {
      done.result.complete(work.call());
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      done.result.completeExceptionally(e);
    }
    return done;
  }

  private void run(Callable<T> work) {
    try {
      result.complete(work.call());
    } catch (Throwable e) {
      result.completeExceptionally(e);
    }
    task = null;
  }

  /// Whether it has ended, well or not.
  public boolean isDone() {
    return result.isDone();
  }

  /// Its value, as long as that takes.
  ///
  /// @throws ExecutionException why it failed
  public T value() throws InterruptedException, ExecutionException {
    return result.get();
  }

  /// Its value.
  ///
  /// @throws ExecutionException why it failed
  /// @throws TimeoutException when it has not ended after so long; it goes on
  public T value(Duration max) throws InterruptedException, ExecutionException, TimeoutException {
    return world.sleeper().get(result, max);
  }

  /// Interrupts it, if it has not ended.
  public void cancel() {
    Tasks.Task running = task;
    if (running != null) {
      running.cancel();
    }
  }
}
