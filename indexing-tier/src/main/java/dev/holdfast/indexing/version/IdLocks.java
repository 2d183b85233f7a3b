package dev.holdfast.indexing.version;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/// One lock an id, for the batches being written: two batches that share an id go one after the
/// other. Ids are taken in ascending order, so that no two batches wait for each other.
public final class IdLocks {
  private final ConcurrentHashMap<String, Hold> held = new ConcurrentHashMap<>();

  /// Waits until no other batch holds any of these ids, and takes them.
  public Hold take(Collection<String> ids) throws InterruptedException {
    String[] sorted = ids.toArray(String[]::new);
    Arrays.sort(sorted);
    Hold hold = new Hold(sorted);
    try {
      for (; hold.taken < sorted.length; hold.taken++) {
        Hold other = held.putIfAbsent(sorted[hold.taken], hold);
        while (other != null) {
          other.released.await();
          other = held.putIfAbsent(sorted[hold.taken], hold);
        }
      }
    } catch (InterruptedException e) {
      hold.close();
      throw e;
    }
    return hold;
  }

  /// Waits until the batch that holds an id lets go of it.
  ///
  /// @return whether there was one
  boolean awaitFree(String id) throws InterruptedException {
    Hold hold = held.get(id);
    if (hold == null) {
      return false;
    }
    hold.released.await();
    return true;
  }

  /// The ids of one batch, until closed.
  public final class Hold implements AutoCloseable {
    private final String[] ids;
    private final CountDownLatch released = new CountDownLatch(1);
    private int taken;

    private Hold(String[] ids) {
      this.ids = ids;
    }

    @Override
    public void close() {
      for (int i = 0; i < taken; i++) {
        held.remove(ids[i]);
      }
      released.countDown();
    }
  }
}
