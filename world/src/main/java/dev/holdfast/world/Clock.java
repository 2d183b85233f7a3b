package dev.holdfast.world;

/// Time: monotonic for durations, wall time for what people read. No decision about ownership is
/// made from wall time.
public interface Clock {
  /// Monotonic nanoseconds since some fixed instant of this process.
  long nanoTime();

  /// Wall time, milliseconds since 1970-01-01T00:00Z.
  long epochMillis();
}
