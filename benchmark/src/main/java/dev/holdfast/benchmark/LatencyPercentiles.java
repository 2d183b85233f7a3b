package dev.holdfast.benchmark;

import java.util.List;

/// Percentiles of measured values.
final class LatencyPercentiles {
  private LatencyPercentiles() {}

  /// @param share 0.5 for the median, 1 for the greatest
  static double of(List<Double> values, double share) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.isEmpty()
        ? Double.NaN
        : sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * share));
  }
}
