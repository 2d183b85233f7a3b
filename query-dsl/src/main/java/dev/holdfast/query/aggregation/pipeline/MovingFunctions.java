package dev.holdfast.query.aggregation.pipeline;

import java.util.List;

/// Functions over a window of numbers, the oldest first; NaN where there is nothing to compute.
enum MovingFunctions {
  MAX {
    @Override
    double of(List<Double> numbers, List<Double> arguments) {
      return numbers.stream().filter(n -> !n.isNaN()).mapToDouble(n -> n).max().orElse(Double.NaN);
    }
  },
  MIN {
    @Override
    double of(List<Double> numbers, List<Double> arguments) {
      return numbers.stream().filter(n -> !n.isNaN()).mapToDouble(n -> n).min().orElse(Double.NaN);
    }
  },
  SUM {
    @Override
    double of(List<Double> numbers, List<Double> arguments) {
      return numbers.stream().filter(n -> !n.isNaN()).mapToDouble(n -> n).sum();
    }
  },
  UNWEIGHTED_AVG {
    @Override
    double of(List<Double> numbers, List<Double> arguments) {
      return numbers.stream()
          .filter(n -> !n.isNaN())
          .mapToDouble(n -> n)
          .average()
          .orElse(Double.NaN);
    }
  },
  STD_DEV {
    @Override
    double of(List<Double> numbers, List<Double> arguments) {
      double mean = UNWEIGHTED_AVG.of(numbers, List.of());
      return Math.sqrt(
          numbers.stream()
              .filter(n -> !n.isNaN())
              .mapToDouble(n -> (n - mean) * (n - mean))
              .average()
              .orElse(Double.NaN));
    }
  },
  LINEAR_WEIGHTED_AVG {
    @Override
    double of(List<Double> numbers, List<Double> arguments) {
      double sum = 0;
      long weights = 1;
      long weight = 1;
      for (double number : numbers) {
        if (!Double.isNaN(number)) {
          sum += number * weight;
          weights += weight;
          weight++;
        }
      }
      return weight == 1 ? Double.NaN : sum / weights;
    }
  },
  EWMA {
    @Override
    double of(List<Double> numbers, List<Double> arguments) {
      double alpha = argument(arguments, 0, 0.3);
      double average = Double.NaN;
      for (double number : numbers) {
        if (!Double.isNaN(number)) {
          average = Double.isNaN(average) ? number : number * alpha + average * (1 - alpha);
        }
      }
      return average;
    }
  },
  HOLT {
    @Override
    double of(List<Double> numbers, List<Double> arguments) {
      double alpha = argument(arguments, 0, 0.3);
      double beta = argument(arguments, 1, 0.1);
      double level = Double.NaN;
      double trend = 0;
      double last = Double.NaN;
      int seen = 0;
      for (double number : numbers) {
        if (Double.isNaN(number)) {
          continue;
        }
        if (seen == 0) {
          level = number;
        } else {
          double before = level;
          level = alpha * number + (1 - alpha) * (level + trend);
          trend = seen == 1 ? number - last : beta * (level - before) + (1 - beta) * trend;
        }
        last = number;
        seen++;
      }
      return level;
    }
  };

  abstract double of(List<Double> numbers, List<Double> arguments);

  private static double argument(List<Double> arguments, int place, double whenAbsent) {
    return place < arguments.size() ? arguments.get(place) : whenAbsent;
  }
}
