package dev.holdfast.world.real;

import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Virtual threads and platform pools of the JDK.
@FromTheWorld
final class RealTasks implements Tasks {
  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

  /// Threads beyond its own that a fair pool may have, at least: as many pieces of long work may
  /// run before what is short waits for them. Half a dozen clients can ask for so many.
  private static final int EXTRA_MIN = 16;

  /// The same, of its own threads.
  private static final int EXTRA_TIMES = 4;

  private final Set<Thread> running = ConcurrentHashMap.newKeySet();
  private final List<PlatformPool> pools = new CopyOnWriteArrayList<>();

  RealTasks() {
    MountedThreads.startedBy(this);
  }

  /// The virtual threads that have not ended.
  Set<Thread> running() {
    return running;
  }

  @Override
  public Task start(String name, Work work) {
    Thread thread =
        Thread.ofVirtual()
            .name(name)
            .unstarted(() -> {
              try {
                work.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (Throwable e) {
                if (!isOfInterrupt(name, e)) {
                  LOG.error("task failed [name={}]", name, e);
                }
              } finally {
                running.remove(Thread.currentThread());
                EndedTasks.add();
              }
            });
    running.add(thread);
    boolean isStarted = false;
    try {
      thread.start();
      isStarted = true;
    } finally {
      if (!isStarted) {
        running.remove(thread); // nobody may wait for its end
      }
    }
    return new Task() {
      @Override
      public void cancel() {
        thread.interrupt();
      }

      @Override
      public void join() throws InterruptedException {
        thread.join();
      }
    };
  }

  /// An interrupt closes files and connections under whoever was cancelled: no failure.
  private static boolean isOfInterrupt(String name, Throwable why) {
    if (why instanceof IOException && Thread.currentThread().isInterrupted()) {
      LOG.debug("task ended by an interrupt [name={}]", name, why);
      return true;
    }
    return false;
  }

  @Override
  public Task repeat(String name, Duration pause, Work work) {
    return start(
        name,
        () -> {
          FailedRuns failures = new FailedRuns(name);
          while (!Thread.currentThread().isInterrupted()) {
            Thread.sleep(pause);
            try {
              work.run();
              failures.succeeded();
            } catch (InterruptedException e) {
              throw e;
            } catch (Exception | Error e) { // an error of one run is none of the next
              if (!isOfInterrupt(name, e)) {
                failures.failed(e);
              }
            }
          }
        });
  }

  @Override
  public WorkPool pool(String name, int threads, int queueMax) {
    return added(new PlatformPool(name, threads, queueMax, 0, Duration.ZERO));
  }

  @Override
  public WorkPool fairPool(String name, int threads, int queueMax, Duration longAfter) {
    int extraMax = Math.max(EXTRA_MIN, EXTRA_TIMES * threads);
    return added(new PlatformPool(name, threads, queueMax, extraMax, longAfter));
  }

  private WorkPool added(PlatformPool pool) {
    pools.add(pool);
    return pool;
  }

  @Override
  public void close() {
    running.forEach(Thread::interrupt);
    pools.forEach(WorkPool::close);
    long deadline = System.nanoTime() + CLOSE_MAX.toNanos();
    try {
      for (Thread thread : running) {
        thread.join(left(deadline));
      }
      for (PlatformPool pool : pools) {
        pool.awaitEnd(left(deadline));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Duration left(long deadlineNanos) {
    return Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
  }
}
