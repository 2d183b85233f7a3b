package dev.holdfast.query.aggregation.bucket.histogram;

import dev.holdfast.query.aggregation.column.Bins;

/// The buckets of a grid that a shard's values can fall in, numbered from 0; none when they are too
/// many to number.
final class GridCells {
  static final GridCells NONE = new GridCells(new long[0], new Bins(new long[0], 0));

  private final long[] keys;
  private final Bins bins;

  GridCells(long[] keys, Bins bins) {
    this.keys = keys;
    this.bins = bins;
  }

  int size() {
    return bins.size();
  }

  Bins bins() {
    return bins;
  }

  long key(int bin) {
    return keys[bin];
  }
}
