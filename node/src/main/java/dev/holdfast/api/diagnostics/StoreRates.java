package dev.holdfast.api.diagnostics;

import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Requests to the store a second, over the last minute or what there was of it.
final class StoreRates {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final int SAMPLES_MAX = 7;

  private final World world;
  private final StoreCounters counters;

  // Guarded by this.
  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(long nanos, List<StoreCounters.Line> lines) {
    long requests(Purpose purpose, RequestKind kind) {
      return lines.stream()
          .filter(line -> line.purpose() == purpose && line.kind() == kind)
          .mapToLong(StoreCounters.Line::requests)
          .sum();
    }
  }

  StoreRates(World world, StoreCounters counters) {
    this.world = world;
    this.counters = counters;
    sample();
    var _ = world.tasks().repeat("store-rates", EVERY, this::sample);
  }

  private synchronized void sample() {
    samples.addLast(new Sample(world.clock().nanoTime(), counters.snapshot()));
    if (samples.size() > SAMPLES_MAX) {
      samples.removeFirst();
    }
  }

  /// @param now requests until now
  synchronized double perSecond(Purpose purpose, RequestKind kind, long now) {
    Sample first = samples.getFirst();
    double seconds = (world.clock().nanoTime() - first.nanos) / 1e9;
    return seconds <= 0 ? 0 : (now - first.requests(purpose, kind)) / seconds;
  }
}
