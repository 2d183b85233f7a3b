package dev.holdfast.chaos.client;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Counts of a whole run.
public final class Tally {
  private static final int TOLD_MAX = 20;

  public final LongAdder acknowledged = new LongAdder();
  public final LongAdder refused = new LongAdder();
  public final LongAdder withoutAnswer = new LongAdder();
  public final LongAdder checked = new LongAdder();
  public final LongAdder failedWrites = new LongAdder();
  public final LongAdder searches = new LongAdder();
  public final LongAdder failedSearches = new LongAdder();
  public final LongAdder staleSearches = new LongAdder();
  public final AtomicLong slowestWriteMillis = new AtomicLong();
  public final AtomicLong slowestSearchMillis = new AtomicLong();
  public final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
  public final Queue<String> violations = new ConcurrentLinkedQueue<>();

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
