package dev.holdfast.objectstore;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/// Threads that set off together.
public final class Race {
  private Race() {}

  /// What each of `threads` racers returned, in their order.
  public static <T> List<T> of(int threads, IntFunction<Callable<T>> racer) throws Exception {
    CyclicBarrier start = new CyclicBarrier(threads);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Callable<T> work = racer.apply(i);
        futures.add(
            executor.submit(() -> {
              start.await();
              return work.call();
            }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }
}
