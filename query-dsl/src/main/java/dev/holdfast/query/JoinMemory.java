package dev.holdfast.query;

import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// Memory for the ids that one join of one shard notes: joins that need more are refused before the
/// heap is full of them, as Elasticsearch's request breaker does.
public final class JoinMemory {
  /// Of the heap: several shards are searched at once.
  private static final int SHARE_OF_HEAP = 20;

  private final long bytesMax;
  private long bytes;

  /// @param bytesMax for the whole join
  public JoinMemory(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// A share of this process's heap.
  public static JoinMemory ofHeap() {
    return new JoinMemory(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  /// Notes that much more, before it is taken.
  ///
  /// @throws Refusal `circuit_breaking_exception` (429) when it is too much
  public void add(long more) {
    long wanted = bytes + more;
    if (wanted > bytesMax) {
      throw new Refusal(
              ErrorType.CIRCUIT_BREAKING,
              "[request] Data too large, data for [<joined_ids>] would be ["
                  + wanted
                  + "/"
                  + new ByteSize(wanted)
                  + "], which is larger than the limit of ["
                  + bytesMax
                  + "/"
                  + new ByteSize(bytesMax)
                  + "]")
          .with("bytes_wanted", wanted)
          .with("bytes_limit", bytesMax)
          .with("durability", "TRANSIENT");
    }
    bytes = wanted;
  }
}
