package dev.holdfast.simulation.schedule;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkPool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// A pool whose threads are simulated. Between two blocking calls nobody else runs, so its counts
/// need no lock.
final class SimulatedPool implements WorkPool {
  private final SimulatedTasks tasks;
  private final String name;
  private final int threads;
  private final int queueMax;
  private final Deque<FutureTask<?>> queue = new ArrayDeque<>();
  private int active;
  private int largest;
  private long rejected;
  private long completed;

  SimulatedPool(SimulatedTasks tasks, String name, int threads, int queueMax) {
    this.tasks = tasks;
    this.name = name;
    this.threads = threads;
    this.queueMax = queueMax;
  }

  @Override
  public <T> T call(Callable<T> work) throws Exception {
    return callAll(List.of(work)).getFirst();
  }

  @Override
  public <T> List<T> callAll(List<? extends Callable<T>> work) throws Exception {
    int taken = active + queue.size();
    if (taken > 0 && taken + work.size() > threads + queueMax) {
      rejected += work.size();
      throw new Refusal(ErrorType.REJECTED_EXECUTION, "rejected execution: " + name);
    }
    List<FutureTask<T>> futures = new ArrayList<>();
    for (Callable<T> one : work) {
      FutureTask<T> future = new FutureTask<>(one);
      futures.add(future);
      queue.addLast(future);
      if (active < threads) {
        active++;
        largest = Math.max(largest, active);
        tasks.started(name, this::work);
      }
    }
    return waitForAll(futures);
  }

  @Override
  public <T> List<T> callAllLarge(List<? extends Callable<T>> work) throws Exception {
    return callAll(work);
  }

  private void work() {
    while (!queue.isEmpty()) {
      queue.removeFirst().run();
      completed++;
    }
    active--;
  }

  private static <T> List<T> waitForAll(List<FutureTask<T>> futures) throws Exception {
    List<T> results = new ArrayList<>(futures.size());
    Throwable first = null;
    for (FutureTask<T> future : futures) {
      try {
        results.add(future.get());
      } catch (ExecutionException e) {
        first = first == null ? e.getCause() : first;
      }
    }
    switch (first) {
      case null -> {
        return results;
      }
      case Exception e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(first);
    }
  }

  @Override
  public int active() {
    return active;
  }

  @Override
  public int queued() {
    return queue.size();
  }

  @Override
  public long rejected() {
    return rejected;
  }

  @Override
  public long completed() {
    return completed;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public int size() {
    return threads;
  }

  @Override
  public int largest() {
    return largest;
  }

  @Override
  public int queueMax() {
    return queueMax;
  }

  @Override
  public void close() {
    queue.clear();
  }
}
