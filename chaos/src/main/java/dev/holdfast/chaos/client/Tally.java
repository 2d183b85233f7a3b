package dev.holdfast.chaos.client;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counts of a whole run.
public final class Tally {
  private static final int TOLD_MAX = 20;

  /// A refresh that takes longer misses the goal.
  private static final long REFRESH_MILLIS_MAX = 5_000;

  /// A node that is killed is missed for less.
  private static final long WRITE_MILLIS_MAX = 4_000;

  /// A node that waited for the store notices so late that it works again: backoff, and what had
  /// been waited for.
  private static final long AFTER_NANOS = 15_000_000_000L;

  /// Null while nobody wants to know.
  private volatile @Nullable WriteTimes writeTimes;

  private volatile boolean isStoreFailing;
  private volatile long storeFailedNanos = System.nanoTime() - AFTER_NANOS;

  public final LongAdder acknowledged = new LongAdder();
  public final LongAdder refused = new LongAdder();
  public final LongAdder withoutAnswer = new LongAdder();
  public final LongAdder checked = new LongAdder();
  public final LongAdder failedWrites = new LongAdder();
  public final LongAdder searches = new LongAdder();
  public final LongAdder failedSearches = new LongAdder();
  public final LongAdder staleSearches = new LongAdder();

  /// Answers that told of a store that was disturbed just then.
  public final LongAdder excused = new LongAdder();

  public final AtomicLong slowestWriteMillis = new AtomicLong();
  public final AtomicLong slowestSearchMillis = new AtomicLong();
  public final Queue<Long> refreshMillis = new ConcurrentLinkedQueue<>();
  public final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
  public final Queue<String> violations = new ConcurrentLinkedQueue<>();

  /// The store does not do what it should from now on: writes may be refused with the reason, and
  /// what rests on the store may not be answered.
  public void storeFails() {
    isStoreFailing = true;
  }

  /// It does again.
  public void storeWorks() {
    storeFailedNanos = System.nanoTime();
    isStoreFailing = false;
  }

  /// Whether a request that was sent then may have met a store that failed, and was told so in an
  /// orderly way.
  boolean isExcused(int status, long sentNanos) {
    boolean isOrderly = status == 429 || status == 503;
    boolean hasMet = isStoreFailing || storeFailedNanos + AFTER_NANOS - sentNanos > 0;
    if (isOrderly && hasMet) {
      excused.increment();
      return true;
    }
    return false;
  }

  /// As below, unless the store was at fault.
  void failedWrite(String why, int status, long sentNanos) {
    if (!isExcused(status, sentNanos)) {
      failedWrite(why);
    }
  }

  /// As below, unless the store was at fault.
  void failedSearch(String why, int status, long sentNanos) {
    if (!isExcused(status, sentNanos)) {
      failedSearch(why);
    }
  }

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
      tell("unexpected: " + why);
    }
  }

  /// Prints it with the time of day.
  public static void tell(String what) {
    System.out.println(
        LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " " + what);
  }

  /// What kept the slow ones stands in the logs of that moment.
  ///
  /// @param isRefreshed whether it waited until searches show it, too
  void writeTook(long millis, boolean isRefreshed) {
    slowestWriteMillis.accumulateAndGet(millis, Math::max);
    if (millis > WRITE_MILLIS_MAX) {
      tell("a bulk took " + millis + " ms");
    }
    WriteTimes measured = writeTimes;
    if (measured != null) {
      measured.add(millis, isRefreshed);
    }
  }

  /// From now on it is kept how long each write takes, there.
  public WriteTimes measureWrites() {
    WriteTimes measured = new WriteTimes();
    writeTimes = measured;
    return measured;
  }

  /// A write with `refresh=true` was answered.
  void refreshTook(long millis) {
    refreshMillis.add(millis);
    if (millis > REFRESH_MILLIS_MAX) {
      tell("refresh=true took " + millis + " ms");
    }
  }

  void searchTook(long millis) {
    slowestSearchMillis.accumulateAndGet(millis, Math::max);
  }
}
