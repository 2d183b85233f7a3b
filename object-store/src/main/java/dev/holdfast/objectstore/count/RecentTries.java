package dev.holdfast.objectstore.count;

import dev.holdfast.world.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// How many of the requests of the last minute failed, whatever became of them when they were sent
/// again: a store that fails every second one is ill, though nothing fails for long. It looks at
/// what is counted anyway, and costs requests nothing.
public final class RecentTries {
  /// How often [#sample] is to be called.
  public static final Duration EVERY = Duration.ofSeconds(10);

  /// The oldest is a minute old.
  private static final int SAMPLES_MAX = 7;

  /// The share of all from which on the store is ill; of one that is well some in a thousand fail.
  private static final double ILL = 0.1;

  /// A few failures say nothing, be they all there is.
  private static final long FAILED_MIN = 10;

  private final Clock clock;
  private final StoreCounters counters;

  // Guarded by this.
  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(long nanos, StoreCounters.Tries tries) {}

  public RecentTries(Clock clock, StoreCounters counters) {
    this.clock = clock;
    this.counters = counters;
    sample();
  }

  /// Some time has passed.
  public synchronized void sample() {
    samples.addLast(new Sample(clock.nanoTime(), counters.tries()));
    if (samples.size() > SAMPLES_MAX) {
      samples.removeFirst();
    }
  }

  /// The requests of a time.
  ///
  /// @param all each try counted
  /// @param within the time, which ends now
  public record Share(long all, long failed, Duration within) {
    /// Whether a store is ill that fails so many.
    public boolean isIll() {
      return failed >= FAILED_MIN && failed >= ILL * all;
    }
  }

  /// The last minute, or what there was of it.
  public synchronized Share share() {
    Sample first = samples.getFirst();
    StoreCounters.Tries now = counters.tries();
    return new Share(
        now.all() - first.tries.all(),
        now.failed() - first.tries.failed(),
        Duration.ofNanos(clock.nanoTime() - first.nanos));
  }
}
