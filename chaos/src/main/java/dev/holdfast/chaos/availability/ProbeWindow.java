package dev.holdfast.chaos.availability;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// What one stream of probes saw of one event: requests belong to the event in which they were
/// sent, successes to the one in which they came.
final class ProbeWindow {
  private static final int REASONS_MAX = 3;

  private final AtomicLong longestGapNanos = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private final Queue<String> reasons = new ConcurrentLinkedQueue<>();

  void sent() {
    underWay.incrementAndGet();
  }

  void ended() {
    underWay.decrementAndGet();
  }

  void gap(long nanos) {
    longestGapNanos.accumulateAndGet(nanos, Math::max);
  }

  void took(long nanos) {
    slowestNanos.accumulateAndGet(nanos, Math::max);
  }

  void failed(String why) {
    if (failed.incrementAndGet() <= REASONS_MAX) {
      reasons.add(why);
    }
  }

  long gapMillis() {
    return longestGapNanos.get() / 1_000_000;
  }

  long slowestMillis() {
    return slowestNanos.get() / 1_000_000;
  }

  int failures() {
    return failed.get();
  }

  /// Of the first failures.
  Queue<String> reasons() {
    return reasons;
  }

  /// Whether every request that was sent in it has been answered.
  boolean isOver() {
    return underWay.get() == 0;
  }
}
