package dev.holdfast.world;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// The parent of all breakers: real use of the heap. What was alive after the last collection, and
/// what the budgets took since, must fit.
///
/// Garbage does not count: use between two collections says nothing of what is alive. What the last
/// collection found alive may have died since, so before a request is refused by an old figure
/// there is a collection, at most every [#COLLECT_EVERY_NANOS].
public final class HeapUse {
  private static final long COLLECT_EVERY_NANOS = 5_000_000_000L;

  /// How the process's memory is seen.
  public interface Source {
    /// Bytes that the last collections found alive.
    long alive();

    /// How many collections there were.
    long collections();

    /// Collects all garbage now.
    void collect();

    long nanoTime();
  }

  /// A heap that nobody looks at.
  static final Source UNSEEN =
      new Source() {
        @Override
        public long alive() {
          return 0;
        }

        @Override
        public long collections() {
          return 0;
        }

        @Override
        public void collect() {}

        @Override
        public long nanoTime() {
          return 0;
        }
      };

  private volatile long limit;
  private final Source source;
  private final List<LongSupplier> budgets = new CopyOnWriteArrayList<>();
  private final AtomicLong tripped = new AtomicLong();

  // Guarded by this.
  private long collectionsSeen = -1;
  private long others;
  private long collectedNanos;
  private boolean hasCollected;

  /// @param limit bytes
  HeapUse(long limit, Source source) {
    this.limit = limit;
    this.source = source;
  }

  /// Adds a budget.
  ///
  /// @param held bytes that it holds now
  public void add(LongSupplier held) {
    budgets.add(held);
  }

  public long limit() {
    return limit;
  }

  public void limit(long bytes) {
    limit = bytes;
  }

  public long tripped() {
    return tripped.get();
  }

  /// Bytes alive, as far as is known: after the last collection, and what the budgets took since.
  public long bytes() {
    return bytes(0);
  }

  /// @param more of what the budgets hold, bytes that are taken but not allocated yet
  private synchronized long bytes(long more) {
    long held = budgets.stream().mapToLong(LongSupplier::getAsLong).sum();
    long count = source.collections();
    if (count != collectionsSeen) {
      collectionsSeen = count;
      others = Math.max(0, source.alive() - (held - more));
    }
    return others + held;
  }

  /// Asked when a budget has taken more, and now and then by loops whose memory nobody counts.
  ///
  /// @param more bytes just taken; 0 for none
  /// @throws Refusal `circuit_breaking_exception` (429)
  public void check(long more, String label) {
    if (bytes(more) <= limit || collected(more) <= limit) {
      return;
    }
    tripped.incrementAndGet();
    throw Refusal.tooMuchMemory("parent", label, bytes(), limit, more <= limit / 2);
  }

  /// Bytes alive after a collection that is recent.
  private synchronized long collected(long more) {
    long now = source.nanoTime();
    if (!hasCollected || now - collectedNanos > COLLECT_EVERY_NANOS) {
      hasCollected = true;
      collectedNanos = now;
      source.collect();
    }
    return bytes(more);
  }
}
