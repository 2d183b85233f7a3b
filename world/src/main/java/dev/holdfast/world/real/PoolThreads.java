package dev.holdfast.world.real;

import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.Tasks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The threads of a pool, and what waits for one. They are made when there is work, up to a number
/// that may change, and end when there has been none for a while. One that has been lowered
/// ([PoolThread]) ends with its work, and another one is made if there is more: the JDK's pools
/// would have it made by the one that ends, whose priority it had then.
@FromTheWorld
final class PoolThreads {
  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);
  private static final long IDLE_NANOS_MAX = 60_000_000_000L;

  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition hasWork = lock.newCondition();
  private final Condition hasEnded = lock.newCondition();

  // Guarded by the lock.
  private final Queue<Runnable> queue = new ArrayDeque<>();
  private final Set<PoolThread> threads = new HashSet<>();
  private volatile int size; // read without it
  private int idle;
  private int largest;
  private int lastNumber;
  private boolean isClosed;

  /// @param size how many there may be
  PoolThreads(String name, int size) {
    this.name = name;
    this.size = size;
  }

  /// Runs `work` on one of them, in the order in which it came.
  ///
  /// @throws RejectedExecutionException when they have been ended
  void execute(Runnable work) {
    PoolThread another;
    lock.lock();
    try {
      if (isClosed) {
        throw new RejectedExecutionException("the pool is closed [name=" + name + "]");
      }
      queue.add(work);
      hasWork.signal();
      another = anotherIfWanted();
    } finally {
      lock.unlock();
    }
    start(another);
  }

  /// One more, to be started; null while there are enough.
  private @Nullable PoolThread anotherIfWanted() {
    if (isClosed || queue.size() <= idle || threads.size() >= size) {
      return null;
    }
    PoolThread another = new PoolThread(this::work, name + "-" + ++lastNumber);
    threads.add(another);
    largest = Math.max(largest, threads.size());
    return another;
  }

  private void start(@Nullable PoolThread another) {
    if (another == null) {
      return;
    }
    PoolThread.apart(() -> {
      boolean isStarted = false;
      try {
        another.start();
        isStarted = true;
      } finally {
        if (!isStarted) {
          left(another); // what it was meant for stays in the queue
        }
      }
    });
  }

  private void work() {
    PoolThread me = (PoolThread) Thread.currentThread();
    try {
      for (Runnable work = next(); work != null; work = me.isLowered() ? null : next()) {
        try {
          work.run();
        } catch (RuntimeException | Error e) {
          LOG.error("work of a pool failed [pool={}]", name, e);
        }
      }
    } finally {
      left(me);
    }
    PoolThread another;
    lock.lock();
    try {
      another = anotherIfWanted();
    } finally {
      lock.unlock();
    }
    start(another);
  }

  /// What its thread does next; null when it ends.
  private @Nullable Runnable next() {
    lock.lock();
    try {
      long leftNanos = IDLE_NANOS_MAX;
      while (queue.isEmpty() && threads.size() <= size && leftNanos > 0 && !isClosed) {
        idle++;
        try {
          leftNanos = hasWork.awaitNanos(leftNanos);
        } catch (InterruptedException e) {
          LOG.debug("told to end, or for what it did before [pool={}]", name, e);
        } finally {
          idle--;
        }
      }
      if (queue.isEmpty() || threads.size() > size || isClosed) {
        return null;
      }
      boolean _ = Thread.interrupted(); // that was meant for what it did before
      return queue.remove();
    } finally {
      lock.unlock();
    }
  }

  private void left(PoolThread thread) {
    lock.lock();
    try {
      threads.remove(thread);
      if (threads.isEmpty()) {
        hasEnded.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// How many there may be from now on. Where there are more, some end when they have nothing to
  /// do.
  void resize(int to) {
    while (true) {
      PoolThread another;
      lock.lock();
      try {
        size = to;
        if (threads.size() > to) {
          hasWork.signalAll();
        }
        another = anotherIfWanted();
      } finally {
        lock.unlock();
      }
      if (another == null) {
        return;
      }
      start(another);
    }
  }

  /// How many there may be.
  int size() {
    return size;
  }

  /// The most that there have been at once.
  int largest() {
    lock.lock();
    try {
      return largest;
    } finally {
      lock.unlock();
    }
  }

  /// Interrupts what runs; what waits never runs.
  void end() {
    lock.lock();
    try {
      isClosed = true;
      queue.clear();
      hasWork.signalAll();
      threads.forEach(Thread::interrupt);
    } finally {
      lock.unlock();
    }
  }

  /// @return whether all have ended
  boolean awaitEnd(Duration max) throws InterruptedException {
    long leftNanos = max.toNanos();
    lock.lock();
    try {
      while (!threads.isEmpty() && leftNanos > 0) {
        leftNanos = hasEnded.awaitNanos(leftNanos);
      }
      return threads.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
