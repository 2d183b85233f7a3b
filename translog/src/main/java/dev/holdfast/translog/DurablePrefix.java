package dev.holdfast.translog;

import dev.holdfast.world.Promise;
import java.util.TreeMap;

/// How far the files of a log are in the store without a gap: what is acknowledged. Changed under
/// the lock of the log, read by anybody.
final class DurablePrefix {
  private final TreeMap<Long, Landed> behindGap = new TreeMap<>();
  private volatile long durable = -1;
  private volatile long proven = -1;

  /// A file in the store.
  ///
  /// @param rawBytes that were gathered for it
  /// @param durableThen what it says was durable when it was sealed
  record Landed(int rawBytes, long durableThen) {}

  /// Every file up to this ordinal is in the store; -1 for none.
  long durable() {
    return durable;
  }

  /// What the newest of those files says: proof that is in the log itself. It is behind
  /// [#durable()] by the files that were in flight together.
  long proven() {
    return proven;
  }

  /// A file is in the store.
  ///
  /// @return raw bytes of the files that became durable, which are none while one before it lacks
  long landed(long ordinal, Landed file) {
    Landed twice = behindGap.put(ordinal, file);
    boolean isFirst = ordinal > durable && twice == null;
    Promise.keep(isFirst, "a file of the log is uploaded once", "ordinal", ordinal);
    long reached = durable;
    long rawBytes = 0;
    while (!behindGap.isEmpty() && behindGap.firstKey() == reached + 1) {
      Landed next = behindGap.pollFirstEntry().getValue();
      rawBytes += next.rawBytes;
      proven = next.durableThen;
      reached++;
    }
    durable = reached;
    return rawBytes;
  }
}
