package dev.holdfast.autoscaler;

import dev.holdfast.world.Promise;
import java.util.ArrayList;
import java.util.List;

/// What one node has.
///
/// @param cores threads that it keeps busy at once
/// @param memoryBytes of heap and what is beside it
/// @param cacheBytes of disk for the blob cache
public record NodeSize(double cores, long memoryBytes, long cacheBytes) {
  private static final long GIBIBYTE = 1L << 30;

  /// The paper's largest node has 32 cores and 64 GiB (§7).
  private static final int CORES_MAX = 32;

  private static final long MEMORY_A_CORE = 2 * GIBIBYTE;
  private static final long CACHE_A_CORE = 50 * GIBIBYTE;

  public NodeSize {
    Promise.keep(
        cores > 0 && cores < Double.POSITIVE_INFINITY && memoryBytes > 0 && cacheBytes > 0,
        "a node has cores, memory and disk",
        "cores",
        cores,
        "memory",
        memoryBytes,
        "cache",
        cacheBytes);
  }

  /// A node with so many cores, at the ratio that all sizes have.
  public static NodeSize ofCores(int cores) {
    return new NodeSize(cores, cores * MEMORY_A_CORE, cores * CACHE_A_CORE);
  }

  /// 1, 2, 4 … 32 cores, the smallest first.
  public static List<NodeSize> doubling() {
    List<NodeSize> sizes = new ArrayList<>();
    for (int cores = 1; cores <= CORES_MAX; cores *= 2) {
      sizes.add(ofCores(cores));
    }
    return sizes;
  }

  boolean isSmallerThan(NodeSize other) {
    return cores < other.cores && memoryBytes < other.memoryBytes && cacheBytes < other.cacheBytes;
  }

  @Override
  public String toString() {
    return Math.round(cores) + " cores and " + Math.ceilDiv(memoryBytes, GIBIBYTE) + " GiB";
  }
}
