package dev.holdfast.world.real;

import dev.holdfast.world.FromTheWorld;
import java.lang.management.ManagementFactory;

/// A piece of work that runs in a pool. When it has had a processor for long, its thread is
/// lowered: what is small no longer shares the processors with it as with its like. Time in which
/// it waited, or had no processor, does not count: on a machine that is busy everything takes long.
@FromTheWorld
final class RunningWork {
  final long sinceNanos = System.nanoTime();
  private final PoolThread thread;

  // Guarded by this.
  private long processorNanos = -1;
  private boolean isEnded;

  RunningWork(PoolThread thread) {
    this.thread = thread;
  }

  /// Looks how much it has had since it was looked at first.
  ///
  /// @param longNanos of a processor, which are long
  synchronized void look(long longNanos) {
    if (isEnded || thread.isLowered()) {
      return;
    }
    long now = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
    if (processorNanos < 0) {
      processorNanos = now;
    } else if (now - processorNanos >= longNanos) {
      thread.lower();
    }
  }

  /// From now on its thread is not lowered for it.
  synchronized void end() {
    isEnded = true;
  }
}
