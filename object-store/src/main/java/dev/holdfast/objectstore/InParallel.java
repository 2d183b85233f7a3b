package dev.holdfast.objectstore;

import dev.holdfast.world.Promise;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/// Requests sent at the same moment, a thread each; the caller bounds their number.
public final class InParallel {
  private InParallel() {}

  /// All answers, in the order of the requests, when every one has ended.
  ///
  /// @throws StoreException the last failure, when any failed
  public static <T> List<T> send(World world, String name, List<StoreRequest<T>> requests)
      throws StoreException {
    CountDownLatch begun = new CountDownLatch(requests.size());
    List<Callable<T>> pieces = new ArrayList<>(requests.size());
    for (StoreRequest<T> request : requests) {
      pieces.add(() -> {
        begun.countDown();
        begun.await();
        return request.send();
      });
    }
    List<T> answers = new ArrayList<>(requests.size());
    StoreException failed = null;
    for (FanOut.Outcome<T> outcome : outcomes(world, name, pieces)) {
      switch (outcome) {
        case FanOut.Done<T>(T answer) -> answers.add(answer);
        case FanOut.Failed<T>(StoreException why) -> failed = why;
        case FanOut.Failed<T>(Throwable why) ->
            throw new IllegalStateException("a request did not end [name=" + name + "]", why);
        case FanOut.Late<T> _ ->
            throw new IllegalStateException("late, though there is no deadline");
      }
    }
    if (failed != null) {
      throw failed;
    }
    Promise.keep(answers.size() == requests.size(), "each request ends", "name", name);
    return List.copyOf(answers);
  }

  private static <T> List<FanOut.Outcome<T>> outcomes(
      World world, String name, List<Callable<T>> pieces) throws StoreException.Unavailable {
    try {
      return FanOut.of(world, name).cancelling().outcomes(pieces);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Unavailable("interrupted", e);
    }
  }
}
