package dev.holdfast.world.real;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Work that waits for a thread. Requests take turns, however much each of them has: one of a
/// thousand searches keeps another one of a single search waiting for one of its own, not for a
/// thousand.
///
/// What is large lets what is small go first, but for one turn in a few, and leaves a thread to it:
/// small work waits neither for a thousand requests that are each large, nor for one of them.
final class Turns {
  /// Turns of small work, while large work waits, before one of that.
  static final int SMALL_IN_A_ROW = 4;

  /// A turn.
  record Turn(Runnable work, boolean isLarge) {}

  private final Lane small = new Lane();
  private final Lane large = new Lane();
  private int smallInARow;
  private int largeRunning;

  /// Turns that were not taken because as much large work ran as may.
  private int left;

  /// @param request told from others by its identity
  synchronized void add(Object request, boolean isLarge, Runnable work) {
    (isLarge ? large : small).add(request, work);
  }

  /// Takes the next; there is one, unless it was [#left].
  ///
  /// @param largeMax how much large work may run at a time
  /// @return null when it is left until large work ends, or more of it may run
  synchronized @Nullable Turn next(int largeMax) {
    boolean mayLarge = !large.isEmpty() && largeRunning < largeMax;
    if (!small.isEmpty() && (!mayLarge || smallInARow < SMALL_IN_A_ROW)) {
      smallInARow = large.isEmpty() ? 0 : smallInARow + 1;
      return new Turn(small.next(), false);
    }
    if (!mayLarge) {
      left++;
      return null;
    }
    smallInARow = 0;
    largeRunning++;
    return new Turn(large.next(), true);
  }

  /// Large work has ended.
  synchronized void ended() {
    largeRunning--;
  }

  /// Turns that were left and are to be tried again.
  ///
  /// @param max how many at most
  synchronized int again(int max) {
    int again = Math.min(left, max);
    left -= again;
    return again;
  }

  /// Requests of one kind.
  private static final class Lane {
    private final IdentityHashMap<Object, Queue<Runnable>> waiting = new IdentityHashMap<>();

    /// Requests that have work, the next one first.
    private final Queue<Object> order = new ArrayDeque<>();

    boolean isEmpty() {
      return order.isEmpty();
    }

    void add(Object request, Runnable work) {
      Queue<Runnable> own = waiting.get(request);
      if (own == null) {
        own = new ArrayDeque<>(2);
        waiting.put(request, own);
        order.add(request);
      }
      own.add(work);
    }

    Runnable next() {
      Object request = order.remove();
      Queue<Runnable> own = waiting.get(request);
      if (own == null) {
        throw new IllegalStateException("a request in the order has no work");
      }
      Runnable work = own.remove();
      if (own.isEmpty()) {
        waiting.remove(request);
      } else {
        order.add(request);
      }
      return work;
    }
  }
}
