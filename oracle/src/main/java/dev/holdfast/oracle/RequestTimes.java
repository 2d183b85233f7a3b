package dev.holdfast.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// How long requests took, each of them: percentiles are exact. Of all, and of each kind; and why
/// some failed.
final class RequestTimes {
  private long[] nanos = new long[1024];
  private int count;
  private final SortedMap<String, RequestTimes> kinds = new TreeMap<>();
  private final SortedMap<String, Integer> failures = new TreeMap<>();

  /// @param kind of the request
  /// @param failure why the answer was not what it should be; empty when it was
  synchronized void add(String kind, long tookNanos, String failure) {
    add(tookNanos, failure);
    kinds.computeIfAbsent(kind, _ -> new RequestTimes()).add(tookNanos, failure);
  }

  private synchronized void add(long tookNanos, String failure) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = tookNanos;
    if (!failure.isEmpty()) {
      failures.merge(failure, 1, Integer::sum);
    }
  }

  synchronized int failed() {
    return failures.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// @param share 0.5 for the median
  /// @return milliseconds; 0 when there was no request
  synchronized double millis(double share) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return count == 0 ? 0 : sorted[(int) Math.min(count - 1L, (long) (share * count))] / 1e6;
  }

  /// A line for each kind, and for each reason why some failed.
  synchronized List<String> details() {
    List<String> lines = new ArrayList<>();
    kinds.forEach((kind, times) -> lines.add(kind + ": " + times));
    failures.forEach((why, times) -> lines.add("failed " + times + " times: " + why));
    return lines;
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
        failed());
  }
}
