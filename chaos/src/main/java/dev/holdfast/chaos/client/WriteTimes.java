package dev.holdfast.chaos.client;

import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// How long the bulks of a while took. Those with `refresh=true` are apart: they wait for search
/// copies as well, and few of them are enough to be the slowest hundredth of all.
public final class WriteTimes {
  private final Queue<Long> acknowledged = new ConcurrentLinkedQueue<>();
  private final Queue<Long> refreshed = new ConcurrentLinkedQueue<>();

  void add(long millis, boolean isRefreshed) {
    (isRefreshed ? refreshed : acknowledged).add(millis);
  }

  /// In a line.
  @Override
  public String toString() {
    return percentiles(acknowledged) + "; with refresh=true " + percentiles(refreshed);
  }

  private static String percentiles(Queue<Long> millis) {
    List<Long> sorted = millis.stream().sorted().toList();
    return String.format(
        Locale.ROOT,
        "%d, p50 %d ms, p99 %d ms, slowest %d ms",
        sorted.size(),
        percentile(sorted, 0.5),
        percentile(sorted, 0.99),
        percentile(sorted, 1));
  }

  private static long percentile(List<Long> sorted, double of) {
    return sorted.isEmpty() ? 0 : sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * of));
  }
}
