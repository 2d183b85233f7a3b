package dev.holdfast.indexing.version;

import java.util.concurrent.atomic.AtomicLong;

/// Numbers the operations of a shard, from 0. A number whose operation failed is never used again.
public final class SequenceNumbers {
  /// No number: the shard never had an operation, or a document does not exist.
  public static final long NONE = -1;

  private final AtomicLong next;

  /// @param max the highest number used so far, [#NONE] for none
  public SequenceNumbers(long max) {
    next = new AtomicLong(max + 1);
  }

  /// Takes `count` numbers in a row and returns the first.
  public long take(int count) {
    return next.getAndAdd(count);
  }

  /// The highest number taken, [#NONE] for none.
  public long max() {
    return next.get() - 1;
  }

  /// Numbers up to `used` are taken: the log had them.
  public void advanceTo(long used) {
    next.accumulateAndGet(used + 1, Math::max);
  }
}
