package dev.holdfast.world;

/// Time: monotonic for durations, wall time for what people read. No decision about ownership is
/// made from wall time.
public interface Clock {
  /// Monotonic nanoseconds since some fixed instant of this process. They may stand still while the
  /// machine is suspended.
  long nanoTime();

  /// Wall time, milliseconds since 1970-01-01T00:00Z.
  long epochMillis();

  /// The same clock, but its [#nanoTime] goes on while the machine is suspended, where the system
  /// can tell: for how long something was true that others may have changed meanwhile. It costs a
  /// little more.
  default Clock throughSuspension() {
    return this;
  }
}
