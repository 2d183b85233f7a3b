package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.world.Reservation;
import org.apache.lucene.util.ArrayUtil;

/// A sum for each bucket, in memory that is asked for before it grows: how many buckets there are
/// is up to the documents.
public final class BucketCounts {
  private final Reservation memory;
  private long[] counts = new long[1];

  /// @param memory of the request
  public BucketCounts(Reservation memory) {
    this.memory = memory;
  }

  /// Adds to a bucket's sum.
  public void add(long bucket, long more) {
    if (bucket >= counts.length) {
      int larger = ArrayUtil.oversize(Math.toIntExact(bucket + 1), Long.BYTES);
      memory.grow(counts.length, larger, Long.BYTES);
      counts = ArrayUtil.growExact(counts, larger);
    }
    counts[(int) bucket] += more;
  }

  /// A bucket's sum; 0 where nothing was added.
  public long of(long bucket) {
    return bucket < counts.length ? counts[(int) bucket] : 0;
  }
}
