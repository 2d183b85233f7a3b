package dev.holdfast.indexing.write;

import java.time.Duration;

/// How many threads the writes of a shard keep busy: seconds of indexing a second, as an average
/// that forgets. What was before the shard was opened here does not count as idleness.
public final class WriteLoad {
  /// So long ago counts half.
  static final Duration HALF_LIFE = Duration.ofSeconds(30);

  /// Looked at no oftener.
  static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final long startNanos;
  private long lookedNanos;
  private long indexNanosBefore;
  private double sum;
  private volatile double threads;
  private volatile double peak;
  private volatile double allTime;

  /// @param nowNanos when the shard was opened
  public WriteLoad(long nowNanos) {
    startNanos = nowNanos;
    lookedNanos = nowNanos;
  }

  /// @param indexNanos time that threads have spent on writes since the shard was opened
  public synchronized void look(long nowNanos, long indexNanos) {
    long passed = nowNanos - lookedNanos;
    if (passed < LOOK_EVERY.toNanos()) {
      return;
    }
    double left = left(passed);
    sum = sum * left + (1 - left) * (indexNanos - indexNanosBefore) / passed;
    threads = sum / (1 - left(nowNanos - startNanos));
    peak = Math.max(peak, threads);
    allTime = indexNanos / (double) (nowNanos - startNanos);
    lookedNanos = nowNanos;
    indexNanosBefore = indexNanos;
  }

  private static double left(long nanos) {
    return Math.pow(0.5, nanos / (double) HALF_LIFE.toNanos());
  }

  public double threads() {
    return threads;
  }

  /// The largest average so far.
  public double peak() {
    return peak;
  }

  /// The plain average since the shard was opened here.
  public double allTime() {
    return allTime;
  }
}
