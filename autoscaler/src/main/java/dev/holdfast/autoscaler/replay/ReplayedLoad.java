package dev.holdfast.autoscaler.replay;

import java.util.random.RandomGenerator;

/// A day of work that somebody sends, in threads that it keeps busy.
public enum ReplayedLoad {
  /// Office hours with a dip at noon, little at night.
  DAY_CURVE("day curve") {
    @Override
    double mean(int second) {
      double hour = second / HOUR;
      double morning = Math.exp(-Math.pow((hour - 10.5) / 2.2, 2));
      double afternoon = Math.exp(-Math.pow((hour - 15.5) / 2.5, 2));
      return 2 + 34 * Math.max(morning, afternoon);
    }
  },

  /// Eight times as much from one second to the next, for twenty minutes.
  SPIKE("spike") {
    @Override
    double mean(int second) {
      return second >= 11 * HOUR && second < 11 * HOUR + 20 * MINUTE ? 24 : 3;
    }
  },

  /// Six hours of growth, two at the top, four of decline.
  RAMP("ramp") {
    @Override
    double mean(int second) {
      double hour = second / HOUR;
      double part =
          hour < 4
              ? 0
              : hour < 10 ? (hour - 4) / 6 : hour < 12 ? 1 : hour < 16 ? (16 - hour) / 4 : 0;
      return 3 + 33 * part;
    }
  },

  /// Three hours of all that can be had, nearly nothing else.
  BATCH_JOB("batch job") {
    @Override
    double mean(int second) {
      return second >= HOUR && second < 4 * HOUR ? 30 : 0.5;
    }
  },

  /// Everybody comes back at once, four times a day, and fades.
  THUNDERING_HERD("thundering herd") {
    @Override
    double mean(int second) {
      double since = second % (6 * HOUR) - 3 * HOUR;
      return 3 + (since < 0 ? 0 : 30 * Math.exp(-since / (4 * MINUTE)));
    }
  },

  /// Always the same, give or take a third.
  NOISY_CONSTANT("noisy constant") {
    @Override
    double mean(int second) {
      return 14;
    }

    @Override
    double noise() {
      return 0.33;
    }
  };

  public static final int SECONDS = 86_400;

  private static final double MINUTE = 60;
  private static final double HOUR = 3600;

  private final String label;

  ReplayedLoad(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  abstract double mean(int second);

  /// Of each second and of each minute, as a part of the mean.
  double noise() {
    return 0.1;
  }

  /// Threads that the work which arrives in each second of the day keeps busy for a second.
  double[] arrivals(RandomGenerator random) {
    double[] arrivals = new double[SECONDS];
    double minute = 0;
    for (int second = 0; second < SECONDS; second++) {
      if (second % 60 == 0) {
        minute = random.nextDouble(-1, 1);
      }
      double noise = noise() * (minute + random.nextGaussian()) / 2;
      arrivals[second] = Math.max(0, mean(second) * (1 + noise));
    }
    return arrivals;
  }
}
