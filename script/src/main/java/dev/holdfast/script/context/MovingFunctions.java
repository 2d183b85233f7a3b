package dev.holdfast.script.context;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/// Functions over a window of numbers, the oldest first; NaN where there is nothing to compute.
public final class MovingFunctions {
  private MovingFunctions() {}

  private static DoubleStream known(double[] values) {
    return Arrays.stream(values).filter(n -> !Double.isNaN(n));
  }

  public static double max(double[] values) {
    return known(values).max().orElse(Double.NaN);
  }

  public static double min(double[] values) {
    return known(values).min().orElse(Double.NaN);
  }

  public static double sum(double[] values) {
    return known(values).sum();
  }

  public static double unweightedAvg(double[] values) {
    return known(values).average().orElse(Double.NaN);
  }

  public static double stdDev(double[] values, double mean) {
    return Math.sqrt(known(values).map(n -> (n - mean) * (n - mean)).average().orElse(Double.NaN));
  }

  public static double linearWeightedAvg(double[] values) {
    double sum = 0;
    long weights = 1;
    long weight = 1;
    for (double number : values) {
      if (!Double.isNaN(number)) {
        sum += number * weight;
        weights += weight;
        weight++;
      }
    }
    return weight == 1 ? Double.NaN : sum / weights;
  }

  public static double ewma(double[] values, double alpha) {
    double average = Double.NaN;
    for (double number : values) {
      if (!Double.isNaN(number)) {
        average = Double.isNaN(average) ? number : number * alpha + average * (1 - alpha);
      }
    }
    return average;
  }

  public static double holt(double[] values, double alpha, double beta) {
    double level = Double.NaN;
    double trend = 0;
    int seen = 0;
    for (double number : values) {
      if (Double.isNaN(number)) {
        continue;
      }
      if (seen == 0) {
        level = number;
      } else {
        double before = level;
        level = alpha * number + (1 - alpha) * (level + trend);
        trend = beta * (level - before) + (1 - beta) * trend;
      }
      seen++;
    }
    return level;
  }

  /// Level, trend and season, the seasons added or multiplied.
  ///
  /// @param period of a season, in values; two of them must be there
  public static double holtWinters(
      double[] values, double alpha, double beta, double gamma, int period, boolean multiplies) {
    double[] v = known(values).map(n -> multiplies ? n + 1e-10 : n).toArray();
    if (v.length == 0) {
      return Double.NaN;
    }
    if (period < 1 || v.length < 2L * period) {
      throw new IllegalArgumentException(
          "Holt-Winters aggregation requires at least (2 * period == 2 * "
              + period
              + " == "
              + 2L * period
              + ") data-points to function.  Only ["
              + v.length
              + "] were provided.");
    }
    double level = 0;
    double trend = 0;
    for (int i = 0; i < period; i++) {
      level += v[i];
    }
    level /= period;
    double[] seasons = new double[v.length];
    for (int i = 0; i < period; i++) {
      seasons[i] = level == 0 ? 0 : v[i] / level;
    }
    double lastLevel = level;
    double lastTrend = 0;
    for (int i = period; i < v.length; i++) {
      double season = seasons[i - period];
      level =
          alpha * (multiplies ? v[i] / season : v[i] - season)
              + (1 - alpha) * (lastLevel + lastTrend);
      trend = beta * (level - lastLevel) + (1 - beta) * lastTrend;
      seasons[i] =
          multiplies
              ? gamma * (v[i] / (lastLevel + lastTrend)) + (1 - gamma) * season
              : gamma * (v[i] - (lastLevel - lastTrend)) + (1 - gamma) * season;
      lastLevel = level;
      lastTrend = trend;
    }
    double season = seasons[v.length - period];
    return multiplies ? (level + trend) * season : level + trend + season;
  }
}
