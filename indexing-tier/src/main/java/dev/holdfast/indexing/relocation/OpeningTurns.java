package dev.holdfast.indexing.relocation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Whose turn it is to be opened. After a start thousands of shards want to be; those that a
/// request waits for go first, and find places that the others leave free.
final class OpeningTurns {
  /// All together.
  private static final int OPENINGS_MAX = 16;

  /// Of shards that nobody waits for.
  private static final int UNASKED_MAX = 8;

  // All guarded by this; in each the one that came first is first.
  private final Deque<Waiting> asked = new ArrayDeque<>();
  private final Deque<Waiting> unasked = new ArrayDeque<>();
  private int running;

  private record Waiting(ShardSlot slot, CompletableFuture<Boolean> turn) {}

  /// Waits for the shard's turn; [#release] ends it.
  void acquire(ShardSlot slot) throws InterruptedException {
    CompletableFuture<Boolean> turn = new CompletableFuture<>();
    Waiting own = new Waiting(slot, turn);
    synchronized (this) {
      (slot.isFirst() ? asked : unasked).addLast(own);
      next();
    }
    try {
      Boolean _ = turn.get();
    } catch (InterruptedException e) {
      giveUp(own);
      throw e;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  synchronized void release() {
    running--;
    next();
  }

  /// A request waits for a shard that may be waiting for its turn.
  synchronized void demanded(ShardSlot slot) {
    Optional<Waiting> found = unasked.stream().filter(one -> one.slot == slot).findFirst();
    if (found.isPresent() && unasked.remove(found.get())) {
      asked.addLast(found.get());
      next();
    }
  }

  /// Shards that wait for their turn.
  synchronized int waiting() {
    return asked.size() + unasked.size();
  }

  private synchronized void giveUp(Waiting own) {
    if (!asked.remove(own) && !unasked.remove(own)) {
      release(); // its turn had come
    }
  }

  private void next() {
    begin(asked, OPENINGS_MAX);
    begin(unasked, UNASKED_MAX);
  }

  private void begin(Deque<Waiting> waiting, int max) {
    while (!waiting.isEmpty() && running < max) {
      running++;
      boolean _ = waiting.removeFirst().turn.complete(true);
    }
  }
}
