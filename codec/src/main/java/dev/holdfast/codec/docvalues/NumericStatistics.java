package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.MathUtil;

/// What a writer must know of a column before its first block.
///
/// @param values how many there are
/// @param divisor the greatest common divisor of their differences, at least 1
record NumericStatistics(int values, long divisor) {
  static NumericStatistics of(NumericDocValues values) throws IOException {
    int count = 0;
    long first = 0;
    long divisor = 0;
    while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      long value = values.longValue();
      if (count++ == 0) {
        first = value;
      }
      if (divisor != 1) {
        // Differences of such extremes may overflow.
        boolean isExtreme = value < Long.MIN_VALUE / 2 || value > Long.MAX_VALUE / 2;
        divisor = isExtreme ? 1 : MathUtil.gcd(divisor, value - first);
      }
    }
    return new NumericStatistics(count, Math.max(1, divisor));
  }
}
