package dev.holdfast.world.concurrent;

import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Work done side by side, each piece on a virtual thread, and waited for: how many at once, how
/// long, and what becomes of the others when the wait ends early.
///
/// @param name of the threads
/// @param atOnceMax pieces under way at the same time
/// @param max the longest wait for all of them; null: as long as they take
/// @param isCancelling whether pieces that nobody waits for any more are interrupted; otherwise
///   they end by themselves, as writes and reads of files must: an interrupt closes their channels
public record FanOut(
    World world, String name, int atOnceMax, @Nullable Duration max, boolean isCancelling) {
  public FanOut {
    if (max != null && atOnceMax < Integer.MAX_VALUE) {
      throw new IllegalArgumentException("who waits for a place has no deadline");
    }
  }

  /// All at once, for as long as they take, each to its end.
  public static FanOut of(World world, String name) {
    return new FanOut(world, name, Integer.MAX_VALUE, null, false);
  }

  /// The same, with fewer at once: one more waits for one that ends. Not with a deadline.
  public FanOut atOnce(int most) {
    return new FanOut(world, name, most, max, isCancelling);
  }

  /// The same, within a time, counted from the start: what takes longer is [Late].
  public FanOut within(Duration longest) {
    return new FanOut(world, name, atOnceMax, longest, isCancelling);
  }

  /// The same, interrupting what nobody waits for any more.
  public FanOut cancelling() {
    return new FanOut(world, name, atOnceMax, max, true);
  }

  /// What became of a piece of work.
  public sealed interface Outcome<T> {}

  /// It was done.
  public record Done<T>(T value) implements Outcome<T> {}

  /// It failed.
  public record Failed<T>(Throwable why) implements Outcome<T> {}

  /// It was not done within the time.
  public record Late<T>() implements Outcome<T> {}

  /// Runs all and waits for each, whatever becomes of the others.
  ///
  /// @return an outcome for each piece, in their order
  public <T> List<Outcome<T>> outcomes(List<? extends Callable<T>> pieces)
      throws InterruptedException {
    long startNanos = world.clock().nanoTime();
    Running<T> running = start(pieces);
    boolean isDone = false;
    try {
      List<Outcome<T>> outcomes = new ArrayList<>(pieces.size());
      for (CompletableFuture<T> one : running.futures) {
        outcomes.add(outcome(one, startNanos));
      }
      isDone = outcomes.stream().noneMatch(Late.class::isInstance);
      return outcomes;
    } finally {
      if (!isDone) {
        running.end(isCancelling);
      }
    }
  }

  /// Runs all and waits for their values; the first failure, in their order, ends the wait.
  ///
  /// @return the values in the order of the pieces
  /// @throws ExecutionException why a piece failed
  /// @throws TimeoutException when one was late
  public <T> List<T> all(List<? extends Callable<T>> pieces)
      throws InterruptedException, ExecutionException, TimeoutException {
    long startNanos = world.clock().nanoTime();
    Running<T> running = start(pieces);
    boolean isDone = false;
    try {
      List<T> values = new ArrayList<>(pieces.size());
      for (CompletableFuture<T> one : running.futures) {
        values.add(value(one, startNanos));
      }
      isDone = true;
      return values;
    } finally {
      if (!isDone) {
        running.end(isCancelling);
      }
    }
  }

  private record Running<T>(List<CompletableFuture<T>> futures, List<Tasks.Task> tasks) {
    void end(boolean byInterrupt) {
      if (byInterrupt) {
        tasks.forEach(Tasks.Task::cancel);
      }
    }
  }

  private <T> Running<T> start(List<? extends Callable<T>> pieces) throws InterruptedException {
    Running<T> running = new Running<>(new ArrayList<>(pieces.size()), new ArrayList<>());
    Semaphore places = atOnceMax < pieces.size() ? new Semaphore(atOnceMax) : null;
    boolean isStarted = false;
    try {
      for (Callable<T> piece : pieces) {
        if (places != null) {
          places.acquire();
        }
        CompletableFuture<T> future = new CompletableFuture<>();
        running.futures.add(future);
        Callable<T> patient = Patience.SHARD.handedOn(Patience.LEADER.handedOn(piece));
        running.tasks.add(world.tasks().start(name, () -> run(patient, future, places)));
      }
      isStarted = true;
      return running;
    } finally {
      if (!isStarted) {
        running.end(isCancelling);
      }
    }
  }

  /// What is thrown is told to whoever waits, and to nobody else.
  private static <T> void run(
      Callable<T> piece, CompletableFuture<T> future, @Nullable Semaphore places) {
    try {
      future.complete(piece.call());
    } catch (Throwable e) {
      future.completeExceptionally(e);
    } finally {
      if (places != null) {
        places.release();
      }
    }
  }

  private <T> Outcome<T> outcome(CompletableFuture<T> one, long startNanos)
      throws InterruptedException {
    try {
      return new Done<>(value(one, startNanos));
    } catch (TimeoutException e) {
      return new Late<>();
    } catch (ExecutionException e) {
      return new Failed<>(e.getCause() == null ? e : e.getCause());
    }
  }

  private <T> T value(CompletableFuture<T> one, long startNanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (max == null) {
      return one.get();
    }
    long leftNanos = max.toNanos() - (world.clock().nanoTime() - startNanos);
    return world.sleeper().get(one, Duration.ofNanos(Math.max(0, leftNanos)));
  }
}
