package dev.holdfast.simulation.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// Ends the timed waits of simulated threads (`Object.wait` with a limit, as Lucene's writer does)
/// by simulated time; the JDK would end them by its own clock, and a seed would be as many
/// histories as there are machines. Waits of other virtual threads stay the JDK's.
final class TimedWaits {
  /// The scheduler whose steps the current platform thread takes.
  private static final ThreadLocal<Scheduler> STEPPING = new ThreadLocal<>();

  private TimedWaits() {}

  /// From now on the calling thread runs that scheduler's threads.
  static void areOf(Scheduler scheduler) {
    STEPPING.set(scheduler);
  }

  /// Stands in for the JDK's timers of virtual threads.
  static void install() throws ReflectiveOperationException {
    Class<?> owner = Class.forName("java.lang.VirtualThread$DelayedTaskSchedulers");
    ScheduledExecutorService[] timers =
        (ScheduledExecutorService[])
            MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
                .findStaticVarHandle(owner, "INSTANCE", ScheduledExecutorService[].class)
                .get();
    for (int i = 0; i < timers.length; i++) {
      timers[i] = inFrontOf(timers[i]);
    }
  }

  /// The JDK calls one method: `schedule(Runnable, long, TimeUnit)`, on the thread that took the
  /// step.
  private static ScheduledExecutorService inFrontOf(ScheduledExecutorService timers) {
    return (ScheduledExecutorService)
        Proxy.newProxyInstance(
            TimedWaits.class.getClassLoader(),
            new Class<?>[] {ScheduledExecutorService.class},
            (_, method, arguments) -> {
              Scheduler scheduler = STEPPING.get();
              if (scheduler != null
                  && method.getName().equals("schedule")
                  && arguments[0] instanceof Runnable end) {
                long nanos = ((TimeUnit) arguments[2]).toNanos((long) arguments[1]);
                return new End(end, scheduler, Duration.ofNanos(nanos));
              }
              try {
                return method.invoke(timers, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /// The end of a wait.
  private static final class End extends FutureTask<Void> implements ScheduledFuture<Void> {
    private final Duration delay;
    private final Scheduler.Timer timer;

    private End(Runnable end, Scheduler scheduler, Duration delay) {
      super(end, null);
      this.delay = delay;
      this.timer = scheduler.after(delay, this);
    }

    @Override
    public boolean cancel(boolean interrupts) {
      timer.cancel();
      return super.cancel(interrupts);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(delay);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }
}
