package dev.holdfast.indexing.node;

import dev.holdfast.world.Breakers;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Bytes of the operations that are being written on this node, bounded: what does not fit is
/// refused before anything is done for it, small requests last.
public final class InFlightBytes {
  private final AtomicLong bytes = new AtomicLong();
  private final LongAdder admitted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final long bytesMax;

  public InFlightBytes(ByteSize max) {
    bytesMax = max.bytes();
  }

  /// @throws Refusal `es_rejected_execution_exception` (429) when it does not fit
  public Admission admit(long wanted) {
    long now = bytes.addAndGet(wanted);
    if (now > Breakers.limit(bytesMax, wanted)) {
      bytes.addAndGet(-wanted);
      refused.increment();
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "rejected execution of primary operation [coordinating_and_primary_bytes="
              + (now - wanted)
              + ", replica_bytes=0, all_bytes="
              + (now - wanted)
              + ", primary_operation_bytes="
              + wanted
              + ", max_coordinating_and_primary_bytes="
              + bytesMax
              + "]");
    }
    admitted.add(wanted);
    return () -> bytes.addAndGet(-wanted);
  }

  /// Of operations that are being written now.
  public long bytes() {
    return bytes.get();
  }

  /// The most at once; small requests may have a little more.
  public long bytesMax() {
    return bytesMax;
  }

  /// Of all operations since the start.
  public long admitted() {
    return admitted.sum();
  }

  /// Requests that did not fit, since the start.
  public long refused() {
    return refused.sum();
  }

  /// Bytes admitted, until closed.
  public interface Admission extends AutoCloseable {
    @Override
    void close();
  }
}
