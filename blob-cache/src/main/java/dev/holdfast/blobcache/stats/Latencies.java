package dev.holdfast.blobcache.stats;

import java.util.Arrays;

/// How long the latest requests took.
public final class Latencies {
  /// Too few requests were seen to tell.
  public static final long UNKNOWN = -1;

  private static final int SAMPLES = 256;
  private static final int SAMPLES_MIN = 32;

  /// Requests between two looks at the samples.
  private static final int SORT_EVERY = 16;

  /// Nothing is called slow that took less: scheduling noise is not the store's.
  private static final long NANOS_MIN = 5_000_000;

  private final long[] nanos = new long[SAMPLES];
  private int count;
  private volatile long p95Nanos = UNKNOWN;

  public synchronized void add(long tookNanos) {
    nanos[count++ % SAMPLES] = tookNanos;
    if (count >= SAMPLES_MIN && count % SORT_EVERY == 0) {
      long[] sorted = Arrays.copyOf(nanos, Math.min(count, SAMPLES));
      Arrays.sort(sorted);
      p95Nanos = Math.max(NANOS_MIN, sorted[sorted.length * 95 / 100]);
    }
  }

  /// 95 of 100 took no longer; [#UNKNOWN] when too few were seen.
  public long p95Nanos() {
    return p95Nanos;
  }
}
