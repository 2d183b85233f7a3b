package dev.holdfast.query.aggregation.bucket.histogram;

import dev.holdfast.query.aggregation.column.Bins;
import dev.holdfast.query.aggregation.column.BoundField;
import org.apache.lucene.util.ArrayUtil;

/// How a histogram cuts the doc values of one field into adjoining buckets, each known by a long
/// that grows with its values.
interface Grid {
  /// The bucket of a doc value.
  long key(long docValue);

  /// The buckets of doc values.
  default void keys(long[] docValues, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = key(docValues[i]);
    }
  }

  /// The numbers of the buckets of doc values that are within the cells.
  default void bins(GridCells cells, long[] docValues, int count, long[] bins) {
    cells.bins().bins(docValues, count, bins);
  }

  /// The bucket after one.
  long next(long key);

  /// The smallest doc value of a bucket.
  long firstValue(long key);

  /// How the answer calls the bucket: Long or Double.
  Object shownKey(long key);

  /// All buckets of a span of doc values; none when they are too many for arrays, or lie where
  /// numbers end, so that they do not follow one another.
  default GridCells cells(BoundField.Span span) {
    if (span.isEmpty()) {
      return GridCells.NONE;
    }
    long[] keys = new long[16];
    long[] bounds = new long[16];
    int size = 0;
    long last = key(span.max());
    if (firstValue(key(span.min())) > span.min()) {
      return GridCells.NONE;
    }
    for (long key = key(span.min()); key <= last; key = next(key)) {
      if (size == Bins.BINS_MAX) {
        return GridCells.NONE;
      }
      if (size == keys.length) {
        keys = ArrayUtil.grow(keys, size + 1);
        bounds = ArrayUtil.growExact(bounds, keys.length);
      }
      keys[size] = key;
      bounds[size] = firstValue(key);
      if (size > 0 && bounds[size] <= bounds[size - 1]) {
        return GridCells.NONE;
      }
      size++;
    }
    return new GridCells(keys, new Bins(bounds, size));
  }
}
