package dev.holdfast.api.scaling;

import dev.holdfast.autoscaler.WorkLoad;
import dev.holdfast.world.WorkPool;

/// The load of a pool of threads: what it keeps busy, and what waits for longer than is acceptable.
/// How long a piece of work takes is learnt from what was done between two samples.
final class PoolLoad {
  /// Of what the last samples say about the time that a piece of work takes.
  private static final double NEWEST_PART = 0.2;

  private static final double NANOS = 1e9;

  private final WorkPool pool;

  // Guarded by this.
  private final WorkLoad load = new WorkLoad();
  private long sampledNanos;
  private long completed;
  private double busySeconds;
  private double secondsEach;

  /// @param nowNanos of a monotonic clock
  PoolLoad(WorkPool pool, long nowNanos) {
    this.pool = pool;
    sampledNanos = nowNanos;
    completed = pool.completed();
  }

  synchronized void sample(long nowNanos) {
    double elapsed = (nowNanos - sampledNanos) / NANOS;
    if (elapsed <= 0) {
      return;
    }
    int active = pool.active();
    busySeconds += active * elapsed;
    long done = pool.completed() - completed;
    if (done > 0) {
      double each = busySeconds / done;
      secondsEach = secondsEach == 0 ? each : secondsEach + NEWEST_PART * (each - secondsEach);
      completed += done;
      busySeconds = 0;
    }
    load.sample(active, pool.queued() * Math.max(secondsEach, busySeconds), threads(), elapsed);
    sampledNanos = nowNanos;
  }

  /// Threads, or more than there are when too much waits.
  synchronized double load() {
    return load.load();
  }

  int threads() {
    return pool.threads();
  }

  int queued() {
    return pool.queued();
  }

  /// How old the newest sample is.
  synchronized long ageMillis(long nowNanos) {
    return (nowNanos - sampledNanos) / 1_000_000;
  }
}
