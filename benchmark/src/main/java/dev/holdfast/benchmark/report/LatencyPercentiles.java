package dev.holdfast.benchmark.report;

import java.util.List;

/// Percentiles of measured values.
public final class LatencyPercentiles {
  private LatencyPercentiles() {}

  /// NaN of no values.
  ///
  /// @param share 0.5 for the median, 1 for the greatest
  public static double of(List<Double> values, double share) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.isEmpty()
        ? Double.NaN
        : sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * share));
  }
}
