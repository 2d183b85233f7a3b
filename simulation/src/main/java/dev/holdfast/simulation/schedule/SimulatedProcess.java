package dev.holdfast.simulation.schedule;

import dev.holdfast.world.Chance;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Ids;
import dev.holdfast.world.Sleeper;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/// Threads that live and die together, with a world of their own. A frozen process does nothing
/// until it is thawed; a killed one does nothing ever again.
public final class SimulatedProcess {
  private static final long EPOCH_MILLIS = 1_750_000_000_000L;
  private static final String URL_SAFE =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private final Scheduler scheduler;
  private final String name;
  private final SplittableRandom random;
  private final World world;
  private final List<SimulatedThread> held = new ArrayList<>();
  private boolean isFrozen;
  private boolean isDead;

  public SimulatedProcess(Scheduler scheduler, String name, SplittableRandom random, Alarm alarm) {
    this.scheduler = scheduler;
    this.name = name;
    this.random = random;
    this.world =
        new World(
            new SimulatedClock(),
            new SimulatedSleeper(),
            new SimulatedIds(),
            new SimulatedChance(),
            new SimulatedTasks(scheduler, this, alarm));
  }

  public World world() {
    return world;
  }

  public String name() {
    return name;
  }

  public boolean isDead() {
    return isDead;
  }

  public boolean isFrozen() {
    return isFrozen;
  }

  /// Whether the thread may be scheduled now; a frozen one is remembered.
  boolean mayRun(SimulatedThread thread) {
    if (isFrozen || isDead) {
      held.add(thread);
      return false;
    }
    return true;
  }

  public void freeze() {
    isFrozen = true;
  }

  public void thaw() {
    isFrozen = false;
    release();
  }

  public void kill() {
    isDead = true;
  }

  /// Lets a dead process's threads run to their end, when nothing that they do matters any more.
  public void bury() {
    isDead = false;
    isFrozen = false;
    release();
  }

  private void release() {
    if (!isDead && !isFrozen) {
      List<SimulatedThread> released = new ArrayList<>(held);
      held.clear();
      released.forEach(scheduler::admit);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  private final class SimulatedClock implements Clock {
    @Override
    public long nanoTime() {
      return scheduler.nowNanos();
    }

    @Override
    public long epochMillis() {
      return EPOCH_MILLIS + scheduler.leaptMillis() + scheduler.nowNanos() / 1_000_000;
    }
  }

  private final class SimulatedSleeper implements Sleeper {
    @Override
    public void sleep(Duration duration) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      scheduler.parkUntil(scheduler.alarm(duration), () -> false);
    }

    /// The wait ends by a signal of a thread made for it: it finds the lock free or waits for it,
    /// as the real one would.
    @Override
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    public void await(Lock lock, Condition condition, Duration max) throws InterruptedException {
      boolean[] isOver = new boolean[1];
      Scheduler.Timer timer =
          scheduler.after(
              max,
              () ->
                  scheduler.start(
                      SimulatedProcess.this,
                      "timeout",
                      () -> {
                        if (!isOver[0]) {
                          lock.lock();
                          try {
                            condition.signalAll();
                          } finally {
                            lock.unlock();
                          }
                        }
                      }));
      try {
        condition.await();
      } finally {
        isOver[0] = true;
        timer.cancel();
      }
    }

    @Override
    public <T> T get(CompletableFuture<T> future, Duration max)
        throws InterruptedException, ExecutionException, TimeoutException {
      Thread waiter = scheduler.running().thread();
      CompletableFuture<?> _ = future.whenComplete((value, failure) -> LockSupport.unpark(waiter));
      scheduler.parkUntil(scheduler.alarm(max), future::isDone);
      if (!future.isDone()) {
        throw new TimeoutException();
      }
      return future.get();
    }
  }

  private final class SimulatedChance implements Chance {
    @Override
    public long nextLong() {
      return random.nextLong();
    }

    @Override
    public int nextInt(int bound) {
      return random.nextInt(bound);
    }

    @Override
    public double nextDouble() {
      return random.nextDouble();
    }
  }

  private final class SimulatedIds implements Ids {
    @Override
    public String documentId() {
      return random(20);
    }

    @Override
    public String uuid() {
      return random(22);
    }

    private String random(int length) {
      StringBuilder id = new StringBuilder();
      for (int i = 0; i < length; i++) {
        id.append(URL_SAFE.charAt(random.nextInt(URL_SAFE.length())));
      }
      return id.toString();
    }
  }
}
