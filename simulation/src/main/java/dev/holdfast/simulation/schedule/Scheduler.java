package dev.holdfast.simulation.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs virtual threads on the one thread that calls [#run], a step at a time, in an order drawn
/// from the seed. A step goes from one blocking call to the next. When nobody can run, time jumps
/// to the next timer: waiting costs nothing.
public final class Scheduler {
  /// What a step costs in virtual time: an endless loop ends by the clock.
  private static final long STEP_NANOS = 1_000;

  /// A monitor that no simulated thread holds is free again after so long, by the machine's clock.
  private static final long FOREIGN_NANOS = 50_000_000L;

  /// One of the JDK's cleaner, which no simulated thread ever keeps, however slow the machine.
  private static final long CLEANER_NANOS = 120_000_000_000L;

  private static final long GLANCE_NANOS = 20_000L;

  /// More steps than this are a bug that spins.
  private static final long STEPS_MAX = 300_000;

  private final SplittableRandom random;
  private final @Nullable Consumer<String> narrator;
  private final Thread carrier = Thread.currentThread();
  private final List<SimulatedThread> ready = new ArrayList<>();
  private final List<SimulatedThread> atMonitors = new ArrayList<>();
  private final ConcurrentLinkedQueue<SimulatedThread> arrivals = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          Comparator.comparingLong((Timer timer) -> timer.atNanos)
              .thenComparingLong(timer -> timer.number));
  private final HandOverBarrier handedOver = new HandOverBarrier();
  private @Nullable SimulatedThread running;
  private long nowNanos = 1_000_000_000L;
  private long leaptMillis;
  private long timersMade;
  private int threadsMade;
  private long steps;
  private long trace = 0xcbf29ce484222325L;

  /// Something to do at a time.
  static final class Timer {
    private final long atNanos;
    private final long number;
    private final Runnable action;
    private boolean isOver;

    private Timer(long atNanos, long number, Runnable action) {
      this.atNanos = atNanos;
      this.number = number;
      this.action = action;
    }

    boolean isOver() {
      return isOver;
    }

    void cancel() {
      isOver = true;
    }
  }

  /// @param narrator hears what people may want to read; null for nobody
  public Scheduler(SplittableRandom random, @Nullable Consumer<String> narrator) {
    this.random = random;
    this.narrator = narrator;
  }

  public long nowNanos() {
    return nowNanos;
  }

  /// By how much wall clocks are ahead of the time that has passed.
  long leaptMillis() {
    return leaptMillis;
  }

  /// The wall clocks of all machines go ahead at once: what is old by the calendar grows older,
  /// while nobody waits any longer than before.
  public void leap(Duration time) {
    leaptMillis += time.toMillis();
  }

  public long steps() {
    return steps;
  }

  /// A number that differs between two histories.
  public long trace() {
    return trace;
  }

  /// Makes an event part of the history.
  public void note(String event) {
    mix(event.hashCode());
  }

  /// Makes an event part of the history that people may read.
  public void tell(String event) {
    note(event);
    if (narrator != null) {
      narrator.accept(String.format(Locale.ROOT, "%9.3f s  %s", nowNanos / 1e9, event));
    }
  }

  private void mix(long value) {
    trace = (trace ^ value) * 0x100000001b3L;
    trace ^= trace >>> 29;
  }

  /// The thread whose step this is.
  public SimulatedThread running() {
    SimulatedThread now = running;
    if (now == null) {
      throw new IllegalStateException("only simulated threads may wait");
    }
    return now;
  }

  public SimulatedThread start(SimulatedProcess process, String name, Runnable work) {
    SimulatedThread thread = new SimulatedThread(this, process, ++threadsMade, name, work);
    thread.begin();
    return thread;
  }

  Timer after(Duration delay, Runnable action) {
    Timer timer = new Timer(nowNanos + Math.max(0, delay.toNanos()), ++timersMade, action);
    timers.add(timer);
    return timer;
  }

  /// Blocks the running thread until the timer is over, `isDone`, or it is interrupted.
  void parkUntil(Timer timer, BooleanSupplier isDone) throws InterruptedException {
    while (!timer.isOver() && !isDone.getAsBoolean()) {
      LockSupport.park();
      if (Thread.interrupted()) {
        timer.cancel();
        throw new InterruptedException();
      }
    }
    timer.cancel();
  }

  /// A timer that wakes the running thread.
  Timer alarm(Duration delay) {
    Thread thread = running().thread();
    return after(delay, () -> LockSupport.unpark(thread));
  }

  /// The JDK says that a thread can run.
  void submit(SimulatedThread thread) {
    Thread caller = Thread.currentThread();
    if (caller.equals(carrier) || caller.isVirtual()) {
      admit(thread);
    } else {
      arrivals.add(thread);
    }
  }

  void admit(SimulatedThread thread) {
    if (thread.process().mayRun(thread)) {
      ready.add(thread);
    }
  }

  /// Runs until `isDone`, or until the time is over.
  ///
  /// @return whether it was done in time
  public boolean run(BooleanSupplier isDone, Duration max) {
    TimedWaits.areOf(this);
    long deadlineNanos = nowNanos + max.toNanos();
    long stepsMax = steps + STEPS_MAX;
    while (!isDone.getAsBoolean() && steps < stepsMax) {
      settle();
      if (ready.isEmpty()) {
        Timer next = timers.poll();
        if (next == null || next.atNanos > deadlineNanos) {
          if (next != null) {
            timers.add(next);
            nowNanos = deadlineNanos;
          }
          return isDone.getAsBoolean();
        }
        fire(next);
      } else if (nowNanos > deadlineNanos) {
        return isDone.getAsBoolean();
      } else {
        step(pick());
        while (!timers.isEmpty() && timers.peek().atNanos <= nowNanos) {
          fire(timers.remove());
        }
      }
    }
    return isDone.getAsBoolean();
  }

  private void fire(Timer timer) {
    nowNanos = Math.max(nowNanos, timer.atNanos);
    if (!timer.isOver) {
      timer.isOver = true;
      timer.action.run();
    }
  }

  private SimulatedThread pick() {
    int at = ready.size() == 1 ? 0 : random.nextInt(ready.size());
    SimulatedThread picked = ready.get(at);
    SimulatedThread last = ready.removeLast();
    if (at < ready.size()) {
      ready.set(at, last);
    }
    return picked;
  }

  private void step(SimulatedThread thread) {
    if (!thread.process().mayRun(thread)) {
      return;
    }
    steps++;
    nowNanos += STEP_NANOS;
    mix(thread.number() * 31L + nowNanos);
    running = thread;
    try {
      do {
        thread.step();
      } while (isHeldUpFromOutside(thread));
    } finally {
      running = null;
    }
    if (VirtualThreads.isAtMonitor(thread.thread())) {
      atMonitors.add(thread);
    }
  }

  /// Whether the thread stopped at a monitor that the JDK held, whose cleaner closes the files of
  /// dead processes meanwhile. No simulated thread runs now: who can go on now was let in from
  /// outside, and goes on in the same step, so that the history does not know.
  private boolean isHeldUpFromOutside(SimulatedThread thread) {
    if (!VirtualThreads.isBlocked(thread.thread())
        || thread.process().isDead()
        || thread.process().isFrozen()) {
      return false;
    }
    long maxNanos =
        VirtualThreads.isInside(thread.thread(), "jdk.internal.ref.")
            ? CLEANER_NANOS
            : FOREIGN_NANOS;
    long startNanos = System.nanoTime();
    boolean isLast;
    do {
      isLast = System.nanoTime() - startNanos >= maxNanos;
      if (arrivals.contains(thread) || ready.contains(thread)) {
        // The JDK may say it twice: a look at the stack of a thread that has just been let in does.
        handedOver.await();
        arrivals.removeIf(thread::equals);
        ready.removeIf(thread::equals);
        return true;
      }
      LockSupport.parkNanos(GLANCE_NANOS);
    } while (!isLast);
    return false;
  }

  /// Monitors are handed over by a thread of the JDK's: waits until it has said so of every thread
  /// that the last step woke, and puts them in order.
  private void settle() {
    if (!areAwaited() && arrivals.isEmpty()) {
      return;
    }
    handedOver.await();
    List<SimulatedThread> arrived = new ArrayList<>();
    for (SimulatedThread thread = arrivals.poll(); thread != null; thread = arrivals.poll()) {
      arrived.add(thread);
    }
    arrived.sort(Comparator.comparingInt(SimulatedThread::number));
    atMonitors.removeAll(arrived);
    arrived.forEach(this::admit);
  }

  /// Whether somebody who may go on waits for a monitor: the dead wait for ever.
  private boolean areAwaited() {
    for (SimulatedThread thread : atMonitors) {
      if (!thread.process().isDead()) {
        return true;
      }
    }
    return false;
  }
}
