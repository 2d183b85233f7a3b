package dev.holdfast.query.aggregation.metric.rate;

import dev.holdfast.world.Reservation;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// Measurements of one counter in whatever order.
final class CounterSamples {
  /// What a measurement takes while they are sorted.
  private static final int ORDER_BYTES = 24;

  private final Reservation memory;
  private double[] times = new double[4];
  private double[] values = new double[4];
  private int count;

  CounterSamples(Reservation memory) {
    this.memory = memory;
    memory.add(2L * times.length * Double.BYTES);
  }

  void add(double millis, double value) {
    if (count == times.length) {
      int larger = ArrayUtil.oversize(count + 1, Double.BYTES);
      memory.grow(count, larger, Double.BYTES);
      memory.grow(count, larger, Double.BYTES);
      times = ArrayUtil.growExact(times, larger);
      values = ArrayUtil.growExact(values, larger);
    }
    times[count] = millis;
    values[count++] = value;
  }

  /// What they come to; null for none.
  @Nullable CounterGrowth growth() {
    if (count == 0) {
      return null;
    }
    memory.add((long) count * ORDER_BYTES);
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> times[i]));
    CounterGrowth growth = null;
    for (int at : order) {
      CounterGrowth one = new CounterGrowth(times[at], values[at], times[at], values[at], 0);
      growth = growth == null ? one : growth.then(one);
    }
    return growth;
  }
}
