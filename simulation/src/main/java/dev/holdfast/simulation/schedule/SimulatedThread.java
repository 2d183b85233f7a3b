package dev.holdfast.simulation.schedule;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A virtual thread of a simulated process, and the scheduler that the JDK knows of it.
public final class SimulatedThread implements Executor {
  private final Scheduler scheduler;
  private final SimulatedProcess process;
  private final int number;
  private final String name;
  private final Thread thread;
  private volatile @Nullable Runnable next;

  SimulatedThread(
      Scheduler scheduler, SimulatedProcess process, int number, String name, Runnable work) {
    this.scheduler = scheduler;
    this.process = process;
    this.number = number;
    this.name = name;
    this.thread = VirtualThreads.unstarted(this, name, work);
  }

  void begin() {
    thread.start();
  }

  /// Called by the JDK when the thread can go on.
  @Override
  public void execute(Runnable step) {
    next = step;
    scheduler.submit(this);
  }

  void step() {
    Runnable step = next;
    next = null;
    if (step != null) {
      step.run();
    }
  }

  SimulatedProcess process() {
    return process;
  }

  int number() {
    return number;
  }

  public String name() {
    return name;
  }

  Thread thread() {
    return thread;
  }
}
