package dev.holdfast.node.wiring;

import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Threads that remember the pools made of them, so that all can be shown, and those of others that
/// do the same work in this process.
public final class RecordingTasks implements Tasks {
  private final Tasks tasks;
  private final List<WorkPool> pools = new CopyOnWriteArrayList<>();
  private final List<RecordingTasks> beside = new CopyOnWriteArrayList<>();

  RecordingTasks(Tasks tasks) {
    this.tasks = tasks;
  }

  List<WorkPool> pools() {
    return List.copyOf(pools);
  }

  /// With those of the others.
  List<WorkPool> allPools() {
    List<WorkPool> all = new ArrayList<>(pools);
    beside.forEach(others -> all.addAll(others.pools));
    return all;
  }

  /// Counts others that work in this process, until it is closed.
  public AutoCloseable beside(RecordingTasks others) {
    beside.add(others);
    return () -> beside.remove(others);
  }

  @Override
  public Task start(String name, Work work) {
    return tasks.start(name, work);
  }

  @Override
  public Task repeat(String name, Duration pause, Work work) {
    return tasks.repeat(name, pause, work);
  }

  @Override
  public WorkPool pool(String name, int threads, int queueMax) {
    return recorded(tasks.pool(name, threads, queueMax));
  }

  @Override
  public WorkPool fairPool(String name, int threads, int queueMax, Duration longAfter) {
    return recorded(tasks.fairPool(name, threads, queueMax, longAfter));
  }

  private WorkPool recorded(WorkPool pool) {
    pools.add(pool);
    return pool;
  }

  @Override
  public void close() {
    tasks.close();
  }
}
