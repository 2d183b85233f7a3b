package dev.holdfast.node.project;

import dev.holdfast.project.ProjectLimits;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import java.time.Duration;

/// The threads of a project: no more of them search and write than it may have, however long their
/// work takes.
record LimitedTasks(Tasks tasks, ProjectLimits limits) implements Tasks {
  private int threadsMax(String pool) {
    return switch (pool) {
      case "search" -> limits.searchThreads();
      case "write" -> limits.writeThreads();
      default -> 0;
    };
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
    int max = threadsMax(name);
    return tasks.pool(name, max == 0 ? threads : Math.min(max, threads), queueMax);
  }

  /// A pool that is bounded gives long work no threads beyond.
  @Override
  public WorkPool fairPool(String name, int threads, int queueMax, Duration longAfter) {
    int max = threadsMax(name);
    return max == 0
        ? tasks.fairPool(name, threads, queueMax, longAfter)
        : tasks.pool(name, Math.min(max, threads), queueMax);
  }

  @Override
  public void close() {
    tasks.close();
  }
}
