package dev.holdfast.simulation.schedule;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;

/// Waits until the JDK's thread that hands monitors over has nothing left to do. That thread takes
/// all that is to be woken at once, the last to come first: when it has woken a thread of ours, it
/// may still be at that one's batch; when it has woken a second one, it is done with the batch.
final class HandOverBarrier {
  private final Object monitor = new Object();

  /// Called by the thread that runs the simulated threads, while none of them is at a step.
  void await() {
    pass();
    pass();
  }

  private void pass() {
    Steps holder = new Steps(this::hold);
    Steps waiter = new Steps(this::enter);
    holder.next().run(); // it has the monitor, and parks
    waiter.next().run(); // it stops at the monitor
    LockSupport.unpark(holder.thread);
    holder.next().run(); // it leaves: the JDK's thread has one more to wake
    waiter.next().run();
  }

  private void hold() {
    synchronized (monitor) {
      LockSupport.park();
    }
  }

  private void enter() {
    synchronized (monitor) {
      monitor.notifyAll();
    }
  }

  /// A thread whose steps are taken one by one.
  private static final class Steps {
    private final BlockingQueue<Runnable> submitted = new ArrayBlockingQueue<>(2);
    private final Thread thread;

    private Steps(Runnable work) {
      this.thread = VirtualThreads.unstarted(submitted::add, "barrier", work);
      thread.start();
    }

    private Runnable next() {
      boolean isInterrupted = false;
      try {
        while (true) {
          try {
            return submitted.take();
          } catch (InterruptedException e) {
            isInterrupted = true;
          }
        }
      } finally {
        if (isInterrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
