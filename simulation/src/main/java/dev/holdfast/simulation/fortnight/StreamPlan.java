package dev.holdfast.simulation.fortnight;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// A stream of a fortnight: how long it keeps its data, how hard it is written to, whether it is of
/// time series.
///
/// @param rounds of downsampling: coarse times in hours, by milliseconds since the next index was
///   made; none for a stream that is not of time series
record StreamPlan(String name, long retentionMillis, Load load, SortedMap<Long, Integer> rounds) {
  static final long HOUR = 3_600_000;
  static final long DAY = 24 * HOUR;

  /// Threads that writes keep busy.
  interface Load {
    double at(long hours);
  }

  /// Four streams: a steady one, one of office hours, one that grows, one of time series.
  static SortedMap<String, StreamPlan> of(RandomGenerator random) {
    double steady = 0.2 + random.nextDouble();
    double busy = 3 + 4 * random.nextDouble();
    double grown = 40 + 40 * random.nextDouble();
    long first = (4 + random.nextInt(4)) * HOUR;
    long second = (1 + random.nextInt(2)) * DAY;
    SortedMap<String, StreamPlan> plans = new TreeMap<>();
    add(plans, "app-steady", (2 + random.nextInt(3)) * DAY, _ -> steady, Map.of());
    add(
        plans,
        "app-daily",
        (12 + random.nextInt(12)) * HOUR,
        hours -> hours % 24 >= 8 && hours % 24 < 18 ? busy : 0.2,
        Map.of());
    add(
        plans,
        "app-growing",
        (5 + random.nextInt(4)) * DAY,
        hours -> hours * grown / (14 * 24),
        Map.of());
    add(plans, "app-series", 5 * DAY, _ -> 0.5, Map.of(first, 1, second, 6));
    return plans;
  }

  /// Three streams, whose indices are written to for a day each: one of office hours, one that
  /// grows, one of time series.
  static SortedMap<String, StreamPlan> few(RandomGenerator random) {
    double busy = 1.2 + 0.7 * random.nextDouble();
    double grown = 3 + 2 * random.nextDouble();
    long first = (4 + random.nextInt(4)) * HOUR;
    long second = (1 + random.nextInt(2)) * DAY;
    SortedMap<String, StreamPlan> plans = new TreeMap<>();
    add(
        plans,
        "app-daily",
        (25 + random.nextInt(24)) * HOUR,
        hours -> hours % 24 >= 8 && hours % 24 < 18 ? busy : 0.2,
        Map.of());
    add(
        plans,
        "app-growing",
        (4 + random.nextInt(4)) * DAY,
        hours -> hours * grown / (14 * 24),
        Map.of());
    add(plans, "app-series", (4 + random.nextInt(3)) * DAY, _ -> 0.5, Map.of(first, 1, second, 6));
    return plans;
  }

  private static void add(
      SortedMap<String, StreamPlan> plans,
      String name,
      long retention,
      Load load,
      Map<Long, Integer> rounds) {
    plans.put(name, new StreamPlan(name, retention, load, new TreeMap<>(rounds)));
  }

  boolean isSeries() {
    return !rounds.isEmpty();
  }

  /// How coarse an index is to be, in hours; 0 for as it was written.
  int due(long sinceMillis) {
    int due = 0;
    for (Map.Entry<Long, Integer> round : rounds.entrySet()) {
      due = sinceMillis >= round.getKey() ? round.getValue() : due;
    }
    return due;
  }

  /// How old a write index may grow.
  long writeAgeMaxMillis() {
    return retentionMillis > 14 * DAY ? 7 * DAY : retentionMillis > DAY ? DAY : HOUR;
  }
}
