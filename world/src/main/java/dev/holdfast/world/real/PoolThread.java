package dev.holdfast.world.real;

import dev.holdfast.world.FromTheWorld;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A thread of a pool. Once it has been lowered, it does no other work and ends.
///
/// Threads that a lowered thread starts are lowered, too, among them those that the Java machine
/// starts in its place: to carry virtual threads that it wakes. And where it holds a lock while it
/// has no processor, all who want that wait. So it has both done by another one, as far as it can.
@FromTheWorld
final class PoolThread extends Thread {
  private static final Logger LOG = LoggerFactory.getLogger(PoolThread.class);

  private volatile int number;
  private volatile boolean isLowered;

  PoolThread(Runnable work, String name) {
    super(work, name);
    setDaemon(true);
  }

  @Override
  public void run() {
    number = ThreadPriority.self();
    super.run();
  }

  /// Gives it less of the processors, for what is left of its work. Called by others, which have
  /// not been lowered.
  void lower() {
    Apart.begin();
    if (!isLowered && ThreadPriority.lower(number)) {
      isLowered = true;
      setName(getName() + "-lowered");
    }
  }

  boolean isLowered() {
    return isLowered;
  }

  /// Does what may start or wake threads, or holds what others want: here, or on a thread that has
  /// not been lowered when this one has.
  static void apart(Runnable work) {
    if (Thread.currentThread() instanceof PoolThread me && me.isLowered) {
      Apart.QUEUE.add(work);
    } else {
      work.run();
    }
  }

  /// Made when the first thread is lowered.
  private static final class Apart {
    /// As long as there are lowered threads.
    static final BlockingQueue<Runnable> QUEUE = new LinkedBlockingQueue<>();

    static {
      Thread.ofPlatform().daemon().name("apart").start(Apart::work);
    }

    private Apart() {}

    static void begin() {
      // By being loaded.
    }

    /// Everybody's results come through here, so one that cannot be told does not keep the others.
    private static void work() {
      try {
        while (true) {
          Runnable next = QUEUE.take();
          try {
            next.run();
          } catch (RuntimeException | Error e) {
            LOG.error("what a lowered thread left to another could not be done", e);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
