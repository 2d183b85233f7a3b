package dev.holdfast.simulation.schedule;

import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Threads of a simulated process.
final class SimulatedTasks implements Tasks {
  private final Scheduler scheduler;
  private final SimulatedProcess process;
  private final Alarm alarm;
  private final Set<SimulatedThread> running = new LinkedHashSet<>();

  SimulatedTasks(Scheduler scheduler, SimulatedProcess process, Alarm alarm) {
    this.scheduler = scheduler;
    this.process = process;
    this.alarm = alarm;
  }

  @Override
  public Task start(String name, Work work) {
    SimulatedThread thread = started(name, work);
    return new Task() {
      @Override
      public void cancel() {
        thread.thread().interrupt();
      }

      @Override
      public void join() throws InterruptedException {
        thread.thread().join();
      }
    };
  }

  SimulatedThread started(String name, Work work) {
    SimulatedThread[] self = new SimulatedThread[1];
    SimulatedThread thread =
        scheduler.start(
            process,
            name,
            () -> {
              try {
                LoggedErrors.heardBy(alarm, () -> run(name, work));
              } finally {
                running.remove(self[0]);
              }
            });
    self[0] = thread;
    running.add(thread);
    return thread;
  }

  private void run(String name, Work work) {
    try {
      work.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      escaped(name, e);
    }
  }

  /// A task that dies of a broken promise or an error shows a bug; one that dies of a store that
  /// failed does not.
  private void escaped(String name, Throwable e) {
    scheduler.note("escaped " + name);
    if (LoggedErrors.isBug(e)) {
      alarm.violated(
          "a task died [process=" + process + ", task=" + name + "]: " + FailureText.of(e));
    }
  }

  @Override
  public Task repeat(String name, Duration pause, Work work) {
    return start(
        name,
        () -> {
          while (!Thread.currentThread().isInterrupted()) {
            process.world().sleeper().sleep(pause);
            try {
              work.run();
            } catch (InterruptedException e) {
              throw e;
            } catch (Exception e) {
              escaped(name, e);
            }
          }
        });
  }

  @Override
  public WorkPool pool(String name, int threads, int queueMax) {
    return new SimulatedPool(this, name, threads, queueMax);
  }

  /// In simulated time no work is long.
  @Override
  public WorkPool fairPool(String name, int threads, int queueMax, Duration longAfter) {
    return pool(name, threads, queueMax);
  }

  @Override
  public void close() {
    List<SimulatedThread> all = new ArrayList<>(running);
    all.forEach(thread -> thread.thread().interrupt());
  }
}
