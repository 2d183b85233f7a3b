package dev.holdfast.objectstore;

import dev.holdfast.world.Promise;
import dev.holdfast.world.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Requests sent at the same moment, a thread each; the caller bounds their number.
public final class InParallel {
  private InParallel() {}

  /// All answers, in the order of the requests, when every one has ended.
  ///
  /// @throws StoreException the last failure, when any failed
  public static <T> List<T> send(Tasks tasks, String name, List<StoreRequest<T>> requests)
      throws StoreException {
    CountDownLatch start = new CountDownLatch(1);
    ConcurrentSkipListMap<Integer, T> answers = new ConcurrentSkipListMap<>();
    AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();
    List<Tasks.Task> started = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      int number = i;
      started.add(
          tasks.start(
              name + "-" + i,
              () -> {
                start.await();
                try {
                  answers.put(number, requests.get(number).send());
                } catch (StoreException e) {
                  failure.set(e);
                }
              }));
    }
    start.countDown();
    join(started);
    StoreException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    Promise.keep(answers.size() == requests.size(), "each request ends", "name", name);
    return List.copyOf(answers.values());
  }

  private static void join(List<Tasks.Task> started) throws StoreException.Unavailable {
    try {
      for (Tasks.Task task : started) {
        task.join();
      }
    } catch (InterruptedException e) {
      started.forEach(Tasks.Task::cancel);
      Thread.currentThread().interrupt();
      throw new StoreException.Unavailable("interrupted", e);
    }
  }
}
