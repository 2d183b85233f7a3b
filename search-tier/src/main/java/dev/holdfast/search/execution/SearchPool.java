package dev.holdfast.search.execution;

import dev.holdfast.world.WorkPool;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/// The pool that the phases of searches run in, for callers that expect what a phase throws.
final class SearchPool {
  private final WorkPool pool;

  SearchPool(WorkPool pool) {
    this.pool = pool;
  }

  /// Runs all of it side by side and waits.
  <T> List<T> all(List<Callable<T>> work) throws IOException, InterruptedException {
    if (work.isEmpty()) {
      return List.of();
    }
    try {
      return pool.callAll(work);
    } catch (Exception e) {
      throw rethrown(e);
    }
  }

  static <T> T here(Callable<T> work) throws IOException, InterruptedException {
    try {
      return work.call();
    } catch (Exception e) {
      throw rethrown(e);
    }
  }

  /// What a call in the pool may throw, as it was.
  static RuntimeException rethrown(Exception e) throws IOException, InterruptedException {
    return switch (e) {
      case IOException io -> throw io;
      case InterruptedException interrupted -> throw interrupted;
      case RuntimeException runtime -> runtime;
      default -> new IllegalStateException(e);
    };
  }
}
