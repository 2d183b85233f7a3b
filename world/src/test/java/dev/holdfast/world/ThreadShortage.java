package dev.holdfast.world;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/// Threads of which there are none while a test says so, as in a process that has no memory for
/// another.
public final class ThreadShortage implements Tasks {
  private final Tasks tasks;
  private final AtomicInteger refused = new AtomicInteger();
  private volatile Predicate<String> isShort = _ -> false;

  public ThreadShortage(Tasks tasks) {
    this.tasks = tasks;
  }

  /// No thread can be started from now on.
  public void begin() {
    isShort = _ -> true;
  }

  /// None can be started for tasks of that name from now on.
  public void begin(String task) {
    isShort = task::equals;
  }

  /// How many tasks could not be started so far.
  public int refused() {
    return refused.get();
  }

  public void end() {
    isShort = _ -> false;
  }

  /// A world with these threads.
  public World in(World world) {
    return new World(
        world.clock(), world.sleeper(), world.ids(), world.chance(), this, world.memory());
  }

  @Override
  public Task start(String name, Work work) {
    if (isShort.test(name)) {
      refused.incrementAndGet();
      throw new OutOfMemoryError("unable to create a thread");
    }
    return tasks.start(name, work);
  }

  @Override
  public Task repeat(String name, Duration pause, Work work) {
    return tasks.repeat(name, pause, work);
  }

  @Override
  public WorkPool pool(String name, int threads, int queueMax) {
    return tasks.pool(name, threads, queueMax);
  }

  @Override
  public WorkPool fairPool(String name, int threads, int queueMax, Duration longAfter) {
    return tasks.fairPool(name, threads, queueMax, longAfter);
  }

  @Override
  public void close() {
    tasks.close();
  }
}
