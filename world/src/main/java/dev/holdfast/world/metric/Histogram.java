package dev.holdfast.world.metric;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/// How often a measured value fell below each of some bounds, and the sum of all values: enough for
/// averages and, within a bucket's width, percentiles.
public final class Histogram {
  private static final List<Double> SECONDS =
      List.of(
          0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0);

  private static final List<Double> BYTES =
      List.of(
          4096.0,
          16384.0,
          65536.0,
          262144.0,
          1048576.0,
          4194304.0,
          16777216.0,
          67108864.0,
          268435456.0,
          1073741824.0);

  private final List<Double> bounds;
  private final List<LongAdder> counts = new ArrayList<>();
  private final DoubleAdder sum = new DoubleAdder();

  private Histogram(List<Double> bounds) {
    this.bounds = bounds;
    for (int i = 0; i <= bounds.size(); i++) {
      counts.add(new LongAdder());
    }
  }

  /// Of durations between a millisecond and a minute.
  public static Histogram ofSeconds() {
    return new Histogram(SECONDS);
  }

  /// Of sizes between 4 KiB and 1 GiB.
  public static Histogram ofBytes() {
    return new Histogram(BYTES);
  }

  public void record(double value) {
    int at = 0;
    while (at < bounds.size() && value > bounds.get(at)) {
      at++;
    }
    counts.get(at).increment();
    sum.add(value);
  }

  public void recordNanos(long nanos) {
    record(nanos / 1e9);
  }

  /// What was recorded until now.
  public Snapshot snapshot() {
    List<Bucket> buckets = new ArrayList<>();
    long below = 0;
    for (int i = 0; i < bounds.size(); i++) {
      below += counts.get(i).sum();
      buckets.add(new Bucket(bounds.get(i), below));
    }
    return new Snapshot(buckets, below + counts.getLast().sum(), sum.sum());
  }

  /// @param atMost the bound
  /// @param count values that were not above it
  public record Bucket(double atMost, long count) {}

  /// @param buckets cumulative, by rising bounds
  /// @param count of all values
  public record Snapshot(List<Bucket> buckets, long count, double sum) {
    public Snapshot {
      buckets = List.copyOf(buckets);
    }

    /// The bound below which that share of the values lies; infinite when the highest bound is too
    /// low, 0 when there are none.
    public double percentile(double share) {
      if (count == 0) {
        return 0;
      }
      for (Bucket bucket : buckets) {
        if (bucket.count >= share * count) {
          return bucket.atMost;
        }
      }
      return Double.POSITIVE_INFINITY;
    }
  }
}
