package dev.holdfast.world;

import java.time.Duration;

/// Threads of which there are none while a test says so, as in a process that has no memory for
/// another.
public final class ThreadShortage implements Tasks {
  private final Tasks tasks;
  private volatile boolean isShort;

  public ThreadShortage(Tasks tasks) {
    this.tasks = tasks;
  }

  /// No thread can be started from now on.
  public void begin() {
    isShort = true;
  }

  public void end() {
    isShort = false;
  }

  /// A world with these threads.
  public World in(World world) {
    return new World(
        world.clock(), world.sleeper(), world.ids(), world.chance(), this, world.memory());
  }

  @Override
  public Task start(String name, Work work) {
    if (isShort) {
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
