package dev.holdfast.query.clause.join;

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
      throw Refusal.tooMuchMemory("request", "<joined_ids>", wanted, bytesMax, true);
    }
    bytes = wanted;
  }
}
