package dev.holdfast.world.concurrent;

import dev.holdfast.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Work done side by side, each piece on a virtual thread, and waited for: how many at once, how
/// long, and what becomes of the others when the wait ends early.
///
/// @param name of the threads
/// @param atOnceMax pieces under way at the same time
/// @param max the longest wait for all of them; null: as long as they take
/// @param end what else ends the wait; null: nothing
/// @param isCancelling whether pieces that nobody waits for any more are interrupted; otherwise
///   they end by themselves, as writes and reads of files must: an interrupt closes their channels
public record FanOut(
    World world,
    String name,
    int atOnceMax,
    @Nullable Duration max,
    @Nullable End end,
    boolean isCancelling) {
  public FanOut {
    if (max != null && atOnceMax < Integer.MAX_VALUE) {
      throw new IllegalArgumentException("who waits for a place has no deadline");
    }
  }

  /// What ends a wait before its time: a client that has left, a node that is gone.
  ///
  /// @param look how long nothing comes before it is asked, again and again
  /// @param has whether to wait no longer
  public record End(Duration look, BooleanSupplier has) {}

  /// All at once, for as long as they take, each to its end.
  public static FanOut of(World world, String name) {
    return new FanOut(world, name, Integer.MAX_VALUE, null, null, false);
  }

  /// The same, with fewer at once: one more waits for one that ends. Not with a deadline.
  public FanOut atOnce(int most) {
    return new FanOut(world, name, most, max, end, isCancelling);
  }

  /// The same, within a time, counted from the start: what takes longer is [Late].
  public FanOut within(Duration longest) {
    return new FanOut(world, name, atOnceMax, longest, end, isCancelling);
  }

  /// The same, until there is nothing to wait for: what has not ended then is [Late].
  public FanOut unless(Duration look, BooleanSupplier hasEnded) {
    return new FanOut(world, name, atOnceMax, max, new End(look, hasEnded), isCancelling);
  }

  /// The same, interrupting what nobody waits for any more.
  public FanOut cancelling() {
    return new FanOut(world, name, atOnceMax, max, end, true);
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
    return outcomes(pieces, _ -> false);
  }

  /// The same, with some pieces on the caller's own thread once the others have begun.
  ///
  /// @param isOwn by the number of the piece
  public <T> List<Outcome<T>> outcomes(List<? extends Callable<T>> pieces, IntPredicate isOwn)
      throws InterruptedException {
    long startNanos = world.clock().nanoTime();
    SortedMap<Integer, Begun<T>> begun = new TreeMap<>();
    boolean isDone = false;
    try {
      begin(pieces, isOwn, begun);
      List<Outcome<T>> outcomes = new ArrayList<>(pieces.size());
      for (Begun<T> one : begun.values()) {
        outcomes.add(outcome(one, startNanos));
      }
      isDone = outcomes.stream().noneMatch(Late.class::isInstance);
      return outcomes;
    } finally {
      if (!isDone) {
        giveUp(begun.values());
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
    SortedMap<Integer, Begun<T>> begun = new TreeMap<>();
    boolean isDone = false;
    try {
      begin(pieces, _ -> false, begun);
      List<T> values = new ArrayList<>(pieces.size());
      for (Begun<T> one : begun.values()) {
        values.add(value(one, startNanos));
      }
      isDone = true;
      return values;
    } finally {
      if (!isDone) {
        giveUp(begun.values());
      }
    }
  }

  /// Runs one piece on a thread of its own and waits for its value.
  ///
  /// @throws ExecutionException why it failed
  /// @throws TimeoutException when it was late
  public <T> T one(Callable<T> piece)
      throws InterruptedException, ExecutionException, TimeoutException {
    return all(List.of(piece)).getFirst();
  }

  private void giveUp(Collection<? extends Begun<?>> begun) {
    if (isCancelling) {
      begun.forEach(Begun::cancel);
    }
  }

  /// @param begun by the number of the piece; filled as they begin
  private <T> void begin(
      List<? extends Callable<T>> pieces, IntPredicate isOwn, Map<Integer, Begun<T>> begun)
      throws InterruptedException {
    Semaphore places = atOnceMax < pieces.size() ? new Semaphore(atOnceMax) : null;
    for (int i = 0; i < pieces.size(); i++) {
      Callable<T> piece = pieces.get(i);
      if (isOwn.test(i)) {
        continue;
      }
      if (places == null) {
        begun.put(i, Begun.of(world, name, piece));
      } else {
        places.acquire();
        begun.put(i, Begun.of(world, name, () -> placed(piece, places)));
      }
    }
    for (int i = 0; i < pieces.size(); i++) {
      if (isOwn.test(i)) {
        begun.put(i, Begun.here(world, pieces.get(i)));
      }
    }
  }

  private static <T> T placed(Callable<T> piece, Semaphore places) throws Exception {
    try {
      return piece.call();
    } finally {
      places.release();
    }
  }

  private <T> Outcome<T> outcome(Begun<T> one, long startNanos) throws InterruptedException {
    try {
      return new Done<>(value(one, startNanos));
    } catch (TimeoutException e) {
      return new Late<>();
    } catch (ExecutionException e) {
      return new Failed<>(e.getCause() == null ? e : e.getCause());
    }
  }

  private <T> T value(Begun<T> one, long startNanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (max == null && end == null) {
      return one.value();
    }
    while (true) {
      long leftNanos =
          max == null
              ? Long.MAX_VALUE
              : Math.max(0, max.toNanos() - (world.clock().nanoTime() - startNanos));
      long lookNanos = end == null ? Long.MAX_VALUE : end.look().toNanos();
      try {
        return one.value(Duration.ofNanos(Math.min(leftNanos, lookNanos)));
      } catch (TimeoutException e) {
        if (leftNanos <= lookNanos || (end != null && end.has().getAsBoolean())) {
          throw e;
        }
      }
    }
  }
}
