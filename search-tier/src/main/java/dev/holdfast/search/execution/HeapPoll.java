package dev.holdfast.search.execution;

import dev.holdfast.world.HeapUse;
import dev.holdfast.world.Reservation;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// Ends searches when the heap is full: not all that a search holds is counted by its breaker.
final class HeapPoll {
  /// Of the questions whether a search is to end, each so many-th asks for the heap.
  private static final int EVERY = 16;

  private HeapPoll() {}

  /// The same question; asking it may throw a `circuit_breaking_exception` (429).
  ///
  /// @param memory what the search holds
  static BooleanSupplier with(HeapUse heap, Reservation memory, BooleanSupplier isCancelled) {
    AtomicInteger asked = new AtomicInteger();
    AtomicBoolean isChecking = new AtomicBoolean();
    return () -> {
      // A small search waits for room, and asks meanwhile whether it is to end.
      if (asked.incrementAndGet() % EVERY == 0 && isChecking.compareAndSet(false, true)) {
        try {
          heap.check(0, "<search>", memory.bytes());
        } finally {
          isChecking.set(false);
        }
      }
      return isCancelled.getAsBoolean();
    };
  }
}
