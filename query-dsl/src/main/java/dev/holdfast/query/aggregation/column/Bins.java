package dev.holdfast.query.aggregation.column;

/// Doc values of a shard cut into adjoining buckets that are few enough to be counted in arrays.
/// Bin `i` is `[bounds[i], bounds[i + 1])`.
public final class Bins {
  /// The most bins counted in arrays.
  public static final int BINS_MAX = 16_384;

  private static final int SEARCH_LINEAR_MAX = 4;

  /// Between bounds that are farther from 0 there may be more than a long can say: nanoseconds from
  /// 1970 to 2262 and a bit.
  private static final long FAR = 1L << 61;

  private final long[] bounds;
  private final int size;
  private final boolean isUniform;
  private final double perUnit;

  /// @param bounds first values, ascending; `size` of them count
  public Bins(long[] bounds, int size) {
    this.bounds = bounds;
    this.size = size;
    long width = size < 2 ? 0 : bounds[1] - bounds[0];
    boolean uniform = width > 0 && bounds[0] > -FAR && bounds[size - 1] < FAR;
    for (int i = 2; uniform && i < size; i++) {
      uniform = bounds[i] - bounds[i - 1] == width;
    }
    this.isUniform = uniform;
    this.perUnit = uniform ? 1.0 / width : 0;
  }

  public int size() {
    return size;
  }

  public long[] bounds() {
    return bounds;
  }

  /// The bin of a value that is in one.
  public int bin(long value) {
    return search(bounds, size, value);
  }

  /// The bins of values that are in one.
  public void bins(long[] values, int count, long[] bins) {
    if (isUniform) {
      uniform(values, count, bins);
      return;
    }
    int last = 0;
    long low = bounds[0];
    long high = size > 1 ? bounds[1] : Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      long value = values[i];
      if (value < low || value >= high) {
        last = search(bounds, size, value);
        low = bounds[last];
        high = last + 1 < size ? bounds[last + 1] : Long.MAX_VALUE;
      }
      bins[i] = last;
    }
  }

  private void uniform(long[] values, int count, long[] bins) {
    long base = bounds[0];
    int top = size - 1;
    for (int i = 0; i < count; i++) {
      int bin = Math.min(top, (int) ((values[i] - base) * perUnit));
      if (values[i] < bounds[bin]) {
        bin--;
      } else if (bin < top && values[i] >= bounds[bin + 1]) {
        bin++;
      }
      bins[i] = bin;
    }
  }

  /// The last of the first `size` bounds that is at most `value`; -1 when all are above.
  public static int search(long[] bounds, int size, long value) {
    int low = 0;
    int high = size;
    while (high - low > SEARCH_LINEAR_MAX) {
      int middle = (low + high) >>> 1;
      if (bounds[middle] <= value) {
        low = middle;
      } else {
        high = middle;
      }
    }
    int found = low - 1;
    for (int i = low; i < high && bounds[i] <= value; i++) {
      found = i;
    }
    return found;
  }
}
