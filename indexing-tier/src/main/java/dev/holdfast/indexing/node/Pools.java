package dev.holdfast.indexing.node;

import dev.holdfast.world.WorkPool;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/// Calls into a [WorkPool] from code that throws no more than I/O errors.
public final class Pools {
  private Pools() {}

  public static <T> T call(WorkPool pool, Callable<T> work)
      throws IOException, InterruptedException {
    return callAll(pool, List.of(work)).getFirst();
  }

  /// Side by side; returns when all have ended.
  public static <T> List<T> callAll(WorkPool pool, List<Callable<T>> work)
      throws IOException, InterruptedException {
    try {
      return pool.callAll(work);
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
