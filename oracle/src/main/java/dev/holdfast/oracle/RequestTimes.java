package dev.holdfast.oracle;

import java.util.Arrays;
import java.util.Locale;

/// How long requests took, each of them: percentiles are exact.
final class RequestTimes {
  private long[] nanos = new long[1024];
  private int count;
  private int failed;

  /// @param isGood whether the answer was what it should be
  synchronized void add(long tookNanos, boolean isGood) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = tookNanos;
    failed += isGood ? 0 : 1;
  }

  synchronized int failed() {
    return failed;
  }

  /// @param share 0.5 for the median
  /// @return milliseconds; 0 when there was no request
  synchronized double millis(double share) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return count == 0 ? 0 : sorted[(int) Math.min(count - 1L, (long) (share * count))] / 1e6;
  }

  @Override
  public synchronized String toString() {
    return String.format(
        Locale.ROOT,
        "%d requests, p50 %.1f ms, p99 %.1f ms, longest %.1f ms, failed %d",
        count,
        millis(0.5),
        millis(0.99),
        millis(1),
        failed);
  }
}
