package dev.holdfast.search.execution;

import dev.holdfast.world.WorkPool;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/// The pool that the phases of searches run in, for callers that expect what a phase throws.
final class SearchPool {
  /// A page of hits that somebody looks at; more are an export, which lets others go first.
  static final int HITS_SMALL = 200;

  private final WorkPool pool;

  SearchPool(WorkPool pool) {
    this.pool = pool;
  }

  /// Runs all of it side by side and waits.
  ///
  /// @param hits that each search gathers: many are much work, whatever the query
  <T> List<T> all(int hits, List<Callable<T>> work) throws IOException, InterruptedException {
    if (work.isEmpty()) {
      return List.of();
    }
    try {
      return hits > HITS_SMALL ? pool.callAllLarge(work) : pool.callAll(work);
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
