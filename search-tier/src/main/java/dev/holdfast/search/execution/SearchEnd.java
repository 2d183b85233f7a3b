package dev.holdfast.search.execution;

import dev.holdfast.world.Clock;
import dev.holdfast.world.StopSignal;
import java.util.function.BooleanSupplier;

/// What ends a search on this node before it is done: nobody wants it any more, or its time is
/// over.
///
/// @param isCancelled whether it was cancelled; may throw when the heap is full
/// @param startNanos when it began, wherever that was
/// @param timeoutMillis -1 for none
record SearchEnd(Clock clock, BooleanSupplier isCancelled, long startNanos, long timeoutMillis) {
  boolean isTimeOver() {
    return timeoutMillis >= 0 && (clock.nanoTime() - startNanos) / 1_000_000 > timeoutMillis;
  }

  /// What is left of its time, in milliseconds, at least 0; negative when it has no timeout.
  long leftMillis() {
    return timeoutMillis < 0
        ? timeoutMillis
        : Math.max(0, timeoutMillis - (clock.nanoTime() - startNanos) / 1_000_000);
  }

  /// For a thread that works for the search; one each.
  StopSignal signal() {
    return new StopSignal(isCancelled, this::isTimeOver, clock::nanoTime);
  }

  /// The same for work that is done whole or not at all.
  SearchEnd untimed() {
    return new SearchEnd(clock, isCancelled, startNanos, -1);
  }
}
