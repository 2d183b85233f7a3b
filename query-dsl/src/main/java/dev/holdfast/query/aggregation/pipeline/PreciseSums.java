package dev.holdfast.query.aggregation.pipeline;

import java.util.function.DoubleUnaryOperator;

/// Sums of numbers from the first one on, each as a double and what that lacks, so that the
/// difference of two is as good as the sum of what lies between.
final class PreciseSums {
  private final double[] sums;
  private final double[] rests;

  /// @param of what is summed of each number
  PreciseSums(double[] numbers, DoubleUnaryOperator of) {
    sums = new double[numbers.length + 1];
    rests = new double[numbers.length + 1];
    for (int i = 0; i < numbers.length; i++) {
      double number = of.applyAsDouble(numbers[i]);
      double sum = sums[i] + number;
      double rest = rests[i] + lost(sums[i], number, sum);
      sums[i + 1] = sum + rest;
      rests[i + 1] = lost(sum, rest, sums[i + 1]);
    }
  }

  /// What a sum of two lacks.
  private static double lost(double a, double b, double sum) {
    double part = sum - a;
    return (a - (sum - part)) + (b - part);
  }

  /// Of the numbers from `from` to before `to`.
  double of(int from, int to) {
    double difference = sums[to] - sums[from];
    return difference + (lost(sums[to], -sums[from], difference) + (rests[to] - rests[from]));
  }
}
