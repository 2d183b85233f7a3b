package dev.holdfast.api.document.reindex;

import dev.holdfast.world.World;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// How many documents a second a slice may write; it may be changed while the slice waits.
final class ByQueryThrottle {
  private final World world;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private float documentsPerSecond;

  ByQueryThrottle(World world, float documentsPerSecond) {
    this.world = world;
    this.documentsPerSecond = documentsPerSecond;
  }

  void change(float to) {
    lock.lock();
    try {
      documentsPerSecond = to;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  float documentsPerSecond() {
    lock.lock();
    try {
      return documentsPerSecond;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until the next batch may begin.
  ///
  /// @param documents of the batch before
  /// @param startNanos when that batch began
  /// @return nanoseconds waited
  long await(int documents, long startNanos) throws InterruptedException {
    long before = world.clock().nanoTime();
    lock.lock();
    try {
      while (true) {
        double owed = documents / (double) documentsPerSecond * 1e9;
        double left = owed - (world.clock().nanoTime() - startNanos);
        if (Float.isInfinite(documentsPerSecond)) {
          // A pace that was lifted counts as no wait, as if it had never been.
          return 0;
        }
        if (left <= 0) {
          return world.clock().nanoTime() - before;
        }
        Duration max = Duration.ofNanos((long) Math.min(left, Long.MAX_VALUE / 2.0));
        world.sleeper().await(lock, changed, max);
      }
    } finally {
      lock.unlock();
    }
  }
}
