package dev.holdfast.node;

import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.trace.Cause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/// Threads that work for the request of the thread that started them. What runs again and again
/// works for nobody.
record CarryingTasks(Tasks tasks) implements Tasks {
  @Override
  public Task start(String name, Work work) {
    return tasks.start(name, Cause.handedOn(work));
  }

  @Override
  public Task repeat(String name, Duration pause, Work work) {
    return tasks.repeat(name, pause, work);
  }

  @Override
  public WorkPool pool(String name, int threads, int queueMax) {
    return new Carrying(tasks.pool(name, threads, queueMax));
  }

  @Override
  public WorkPool fairPool(String name, int threads, int queueMax) {
    return new Carrying(tasks.fairPool(name, threads, queueMax));
  }

  @Override
  public void close() {
    tasks.close();
  }

  /// A pool that does the same.
  private record Carrying(WorkPool pool) implements WorkPool {
    @Override
    public <T> T call(Callable<T> work) throws Exception {
      return pool.call(Cause.handedOn(work));
    }

    @Override
    public <T> List<T> callAll(List<? extends Callable<T>> work) throws Exception {
      return Cause.current().isNone()
          ? pool.callAll(work)
          : pool.callAll(work.stream().map(Cause::<T>handedOn).toList());
    }

    @Override
    public int active() {
      return pool.active();
    }

    @Override
    public int queued() {
      return pool.queued();
    }

    @Override
    public long rejected() {
      return pool.rejected();
    }

    @Override
    public long completed() {
      return pool.completed();
    }

    @Override
    public String name() {
      return pool.name();
    }

    @Override
    public int threads() {
      return pool.threads();
    }

    @Override
    public int queueMax() {
      return pool.queueMax();
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
