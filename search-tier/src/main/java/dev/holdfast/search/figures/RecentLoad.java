package dev.holdfast.search.figures;

import java.time.Duration;

/// How many threads something keeps busy: seconds of work a second, as an average that forgets.
/// What was before it began does not count as idleness.
final class RecentLoad {
  /// So long ago counts half; Elasticsearch's `indices.stats.recent_read_load.half_life`.
  static final Duration HALF_LIFE = Duration.ofMinutes(5);

  private final long startNanos;
  private long lookedNanos;
  private double busyNanos;

  RecentLoad(long nowNanos) {
    startNanos = nowNanos;
    lookedNanos = nowNanos;
  }

  /// @param nanos of work that has ended now
  synchronized void add(long nowNanos, long nanos) {
    forget(nowNanos);
    busyNanos += nanos;
  }

  synchronized double threads(long nowNanos) {
    forget(nowNanos);
    // All the time since the beginning, forgotten in the same way.
    double mean = HALF_LIFE.toNanos() / Math.log(2);
    double passed = mean * (1 - left(nowNanos - startNanos));
    return passed > 0 ? busyNanos / passed : 0;
  }

  private void forget(long nowNanos) {
    if (nowNanos > lookedNanos) {
      busyNanos *= left(nowNanos - lookedNanos);
      lookedNanos = nowNanos;
    }
  }

  private static double left(long nanos) {
    return Math.pow(0.5, nanos / (double) HALF_LIFE.toNanos());
  }
}
