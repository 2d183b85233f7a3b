package dev.holdfast.world.real;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A [WorkPool] over the JDK's thread pool. Places (threads and queue together) are taken before
/// anything is submitted, so that a refused list of work has not half run.
@FromTheWorld
final class PlatformPool implements WorkPool {
  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

  private final String name;
  private final int threads;
  private final int queueMax;
  private final ThreadPoolExecutor executor;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicLong rejected = new AtomicLong();

  PlatformPool(String name, int threads, int queueMax) {
    this.name = name;
    this.threads = threads;
    this.queueMax = queueMax;
    AtomicInteger number = new AtomicInteger();
    executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            60,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work ->
                Thread.ofPlatform()
                    .daemon()
                    .name(name + "-" + number.incrementAndGet())
                    .unstarted(work));
    executor.allowCoreThreadTimeOut(true);
  }

  @Override
  public <T> T call(Callable<T> work) throws Exception {
    return callAll(List.of(work)).getFirst();
  }

  @Override
  public <T> List<T> callAll(List<? extends Callable<T>> work) throws Exception {
    takePlaces(work.size());
    List<FutureTask<T>> futures = new ArrayList<>(work.size());
    for (Callable<T> one : work) {
      FutureTask<T> future =
          new FutureTask<>(() -> {
            try {
              return one.call();
            } finally {
              taken.decrementAndGet();
            }
          });
      futures.add(future);
      executor.execute(future);
    }
    return waitForAll(futures);
  }

  private void takePlaces(int count) {
    int now = taken.addAndGet(count);
    // One list larger than the pool and its queue may still run alone, else it could never run.
    if (now > threads + queueMax && now != count) {
      taken.addAndGet(-count);
      rejected.addAndGet(count);
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "rejected execution: the "
              + name
              + " queue is full [active="
              + threads
              + ", queue_max="
              + queueMax
              + "]");
    }
  }

  private static <T> List<T> waitForAll(List<FutureTask<T>> futures) throws Exception {
    List<T> results = new ArrayList<>(futures.size());
    Throwable first = null;
    for (Future<T> future : futures) {
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
    return executor.getActiveCount();
  }

  @Override
  public int queued() {
    return executor.getQueue().size();
  }

  @Override
  public long rejected() {
    return rejected.get();
  }

  @Override
  public long completed() {
    return executor.getCompletedTaskCount();
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
  public int queueMax() {
    return queueMax;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  /// Waits, after [#close], for work that does not end when it is interrupted: merges.
  void awaitEnd(Duration max) throws InterruptedException {
    if (!executor.awaitTermination(max.toNanos(), TimeUnit.NANOSECONDS)) {
      LOG.warn("work of a closed pool goes on [pool={}, active={}]", name, active());
    }
  }
}
