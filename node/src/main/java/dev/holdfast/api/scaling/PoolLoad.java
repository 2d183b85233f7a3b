package dev.holdfast.api.scaling;

import dev.holdfast.autoscaler.WorkLoad;
import dev.holdfast.world.WorkPool;
import java.util.List;
import java.util.function.Supplier;

/// The load of pools of threads that do the same work, of the node and of its projects: what they
/// keep busy, and what waits for longer than is acceptable. How long a piece of work takes is
/// learnt from what was done between two samples.
final class PoolLoad {
  /// Of what the last samples say about the time that a piece of work takes.
  private static final double NEWEST_PART = 0.2;

  private static final double NANOS = 1e9;

  private final Supplier<List<WorkPool>> pools;
  private final int threads;

  // Guarded by this.
  private final WorkLoad load = new WorkLoad();
  private long sampledNanos;
  private long completed;
  private double busySeconds;
  private double secondsEach;

  /// @param pools those that there are at a time
  /// @param threads of the node's own
  /// @param nowNanos of a monotonic clock
  PoolLoad(Supplier<List<WorkPool>> pools, int threads, long nowNanos) {
    this.pools = pools;
    this.threads = threads;
    sampledNanos = nowNanos;
    completed = completed(pools.get());
  }

  private static long completed(List<WorkPool> all) {
    return all.stream().mapToLong(WorkPool::completed).sum();
  }

  synchronized void sample(long nowNanos) {
    double elapsed = (nowNanos - sampledNanos) / NANOS;
    if (elapsed <= 0) {
      return;
    }
    List<WorkPool> all = pools.get();
    int active = all.stream().mapToInt(WorkPool::active).sum();
    busySeconds += active * elapsed;
    long ended = completed(all);
    long done = ended - completed;
    if (done > 0) {
      double each = busySeconds / done;
      secondsEach = secondsEach == 0 ? each : secondsEach + NEWEST_PART * (each - secondsEach);
      busySeconds = 0;
    }
    completed = ended; // less than before when a project was closed
    load.sample(active, queued() * Math.max(secondsEach, busySeconds), threads(), elapsed);
    sampledNanos = nowNanos;
  }

  /// Threads, or more than there are when too much waits.
  synchronized double load() {
    return load.load();
  }

  int threads() {
    return threads;
  }

  int queued() {
    return pools.get().stream().mapToInt(WorkPool::queued).sum();
  }

  /// How old the newest sample is.
  synchronized long ageMillis(long nowNanos) {
    return (nowNanos - sampledNanos) / 1_000_000;
  }
}
