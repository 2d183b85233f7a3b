package dev.holdfast.query.aggregation;

/// The buckets of a grid that a shard's values can fall in, numbered from 0; none when they are too
/// many to number.
final class Cells {
  static final Cells NONE = new Cells(new long[0], new Bins(new long[0], 0));

  private final long[] keys;
  private final Bins bins;

  Cells(long[] keys, Bins bins) {
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
