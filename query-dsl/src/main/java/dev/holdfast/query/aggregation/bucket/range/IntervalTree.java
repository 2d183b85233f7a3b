package dev.holdfast.query.aggregation.bucket.range;

import dev.holdfast.query.aggregation.kernel.KeySet;

/// Which of many intervals hold a value, in time that grows with how many do and not with how many
/// there are: a balanced tree over intervals that are sorted by their first values, in which each
/// node knows the largest end below it.
final class IntervalTree {
  private final long[] firsts;
  private final long[] ends;

  /// Of the node in the middle of each part: the largest end of the part.
  private final long[] largestEnds;

  /// @param firsts the smallest value of each interval, ascending
  /// @param ends the value past each interval; [Long#MAX_VALUE] for open
  IntervalTree(long[] firsts, long[] ends) {
    this.firsts = firsts;
    this.ends = ends;
    this.largestEnds = new long[ends.length];
    measure(0, ends.length);
  }

  private long measure(int from, int to) {
    if (from == to) {
      return Long.MIN_VALUE;
    }
    int middle = (from + to) >>> 1;
    long below = Math.max(measure(from, middle), measure(middle + 1, to));
    largestEnds[middle] = Math.max(ends[middle], below);
    return largestEnds[middle];
  }

  /// Adds the places of all intervals that hold a value, ascending.
  void find(long value, KeySet into) {
    find(value, 0, firsts.length, into);
  }

  private void find(long value, int from, int to, KeySet into) {
    int middle = (from + to) >>> 1;
    if (from == to || !isBefore(value, largestEnds[middle])) {
      return;
    }
    find(value, from, middle, into);
    if (value >= firsts[middle]) {
      if (isBefore(value, ends[middle])) {
        into.add(middle);
      }
      find(value, middle + 1, to, into);
    }
  }

  private static boolean isBefore(long value, long end) {
    return value < end || end == Long.MAX_VALUE;
  }
}
