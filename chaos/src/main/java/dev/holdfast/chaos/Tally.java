package dev.holdfast.chaos;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Counts of a whole run.
final class Tally {
  private static final int TOLD_MAX = 20;

  final LongAdder acknowledged = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder withoutAnswer = new LongAdder();
  final LongAdder checked = new LongAdder();
  final LongAdder failedWrites = new LongAdder();
  final LongAdder searches = new LongAdder();
  final LongAdder failedSearches = new LongAdder();
  final LongAdder staleSearches = new LongAdder();
  final AtomicLong slowestWriteMillis = new AtomicLong();
  final AtomicLong slowestSearchMillis = new AtomicLong();
  final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
  final Queue<String> violations = new ConcurrentLinkedQueue<>();

  /// A write that ended neither acknowledged nor refused with 429.
  void failedWrite(String why) {
    failedWrites.increment();
    unexpected(why);
  }

  void failedSearch(String why) {
    failedSearches.increment();
    unexpected(why);
  }

  /// The first are told when they happen: the logs of that moment say why.
  private void unexpected(String why) {
    unexpected.add(why);
    if (unexpected.size() <= TOLD_MAX) {
      System.out.println(
          LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS)
              + " unexpected: "
              + why);
    }
  }

  void writeTook(long millis) {
    slowestWriteMillis.accumulateAndGet(millis, Math::max);
  }

  void searchTook(long millis) {
    slowestSearchMillis.accumulateAndGet(millis, Math::max);
  }
}
