package dev.holdfast.node.wiring;

import dev.holdfast.script.CompiledScripts;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.trace.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Threads that work for a node, and for the request of the thread that started them. What runs
/// again and again works for no request.
///
/// @param scripts of the node
record CarryingTasks(Tasks tasks, CompiledScripts scripts) implements Tasks {
  @Override
  public Task start(String name, Work work) {
    return tasks.start(name, ofNode(Cause.handedOn(work)));
  }

  @Override
  public Task repeat(String name, Duration pause, Work work) {
    return tasks.repeat(name, pause, ofNode(work));
  }

  private Work ofNode(Work work) {
    return () -> {
      boolean _ =
          scripts.<Boolean, Exception>during(() -> {
            work.run();
            return true;
          });
    };
  }

  @Override
  public WorkPool pool(String name, int threads, int queueMax) {
    return new Carrying(tasks.pool(name, threads, queueMax), scripts);
  }

  @Override
  public WorkPool fairPool(String name, int threads, int queueMax, Duration longAfter) {
    return new Carrying(tasks.fairPool(name, threads, queueMax, longAfter), scripts);
  }

  @Override
  public void close() {
    tasks.close();
  }

  /// A pool that does the same.
  private record Carrying(WorkPool pool, CompiledScripts scripts) implements WorkPool {
    @Override
    public <T> T call(Callable<T> work) throws Exception {
      return pool.call(carried(work));
    }

    @Override
    public <T> List<T> callAll(List<? extends Callable<T>> work) throws Exception {
      return pool.callAll(carried(work));
    }

    @Override
    public <T> List<T> callAllLarge(List<? extends Callable<T>> work) throws Exception {
      return pool.callAllLarge(carried(work));
    }

    private <T> List<Callable<T>> carried(List<? extends Callable<T>> work) {
      List<Callable<T>> carried = new ArrayList<>(work.size());
      for (Callable<T> one : work) {
        carried.add(carried(one));
      }
      return carried;
    }

    private <T> Callable<T> carried(Callable<T> work) {
      Callable<T> ofRequest = Cause.handedOn(work);
      return () -> scripts.<T, Exception>during(ofRequest::call);
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
    public int size() {
      return pool.size();
    }

    @Override
    public int largest() {
      return pool.largest();
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
