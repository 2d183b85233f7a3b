package dev.holdfast.query.aggregation.metric;

import dev.holdfast.query.aggregation.kernel.Collecting;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/// [Moments] of many buckets in primitive arrays, as far as a kind of metric needs them.
public final class MomentSums {
  private static final long EXACT_IN_BLOCK_MAX = 1L << 42;

  private final boolean needsSum;
  private final boolean needsExtremes;
  private final boolean needsSquares;
  private final double[] pair = new double[2];
  private long[] counts = new long[1];
  private double[] sums = new double[1];
  private double[] sumsLost = new double[1];
  private double[] minima = {Double.POSITIVE_INFINITY};
  private double[] maxima = {Double.NEGATIVE_INFINITY};
  private double[] squares = new double[1];
  private double[] squaresLost = new double[1];

  public MomentSums(MomentNeeds needs) {
    this.needsSum = needs.sum();
    this.needsExtremes = needs.extremes();
    this.needsSquares = needs.squares();
  }

  boolean needsNumbers() {
    return needsSum || needsExtremes || needsSquares;
  }

  boolean needsOnlyExtremes() {
    return needsExtremes && !needsSum && !needsSquares;
  }

  void ensure(long bucket) {
    if (bucket < counts.length) {
      return;
    }
    int old = counts.length;
    counts = ArrayUtil.grow(counts, Math.toIntExact(bucket + 1));
    int size = counts.length;
    if (needsSum) {
      sums = ArrayUtil.growExact(sums, size);
      sumsLost = ArrayUtil.growExact(sumsLost, size);
    }
    if (needsExtremes) {
      minima = ArrayUtil.growExact(minima, size);
      maxima = ArrayUtil.growExact(maxima, size);
      Arrays.fill(minima, old, size, Double.POSITIVE_INFINITY);
      Arrays.fill(maxima, old, size, Double.NEGATIVE_INFINITY);
    }
    if (needsSquares) {
      squares = ArrayUtil.growExact(squares, size);
      squaresLost = ArrayUtil.growExact(squaresLost, size);
    }
  }

  void addCount(int bucket, long more) {
    counts[bucket] += more;
  }

  /// Counts a segment's extremes without its values.
  void addExtremes(int bucket, double min, double max, long count) {
    counts[bucket] += count;
    minima[bucket] = Math.min(minima[bucket], min);
    maxima[bucket] = Math.max(maxima[bucket], max);
  }

  /// Adds whole numbers to one bucket, summed as longs where that is exact.
  ///
  /// @return false when they are too large for it; nothing was added then
  boolean addWhole(long[] values, int count, int bucket) {
    long sum = 0;
    long reach = 0;
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      long value = values[i];
      sum += value;
      reach |= value ^ (value >> 63);
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    if (reach >= EXACT_IN_BLOCK_MAX || needsSquares || count > Collecting.BLOCK) {
      return false;
    }
    counts[bucket] += count;
    if (needsSum) {
      addSum(bucket, (double) sum);
    }
    if (needsExtremes && count > 0) {
      minima[bucket] = Math.min(minima[bucket], (double) min);
      maxima[bucket] = Math.max(maxima[bucket], (double) max);
    }
    return true;
  }

  /// Adds numbers to one bucket.
  void add(double[] numbers, int count, int bucket) {
    counts[bucket] += count;
    if (needsSum) {
      pair[0] = sums[bucket];
      pair[1] = sumsLost[bucket];
      sum(numbers, count, false);
      sums[bucket] = pair[0];
      sumsLost[bucket] = pair[1];
    }
    if (needsExtremes) {
      double min = minima[bucket];
      double max = maxima[bucket];
      for (int i = 0; i < count; i++) {
        min = Math.min(min, numbers[i]);
        max = Math.max(max, numbers[i]);
      }
      minima[bucket] = min;
      maxima[bucket] = max;
    }
    if (needsSquares) {
      pair[0] = squares[bucket];
      pair[1] = squaresLost[bucket];
      sum(numbers, count, true);
      squares[bucket] = pair[0];
      squaresLost[bucket] = pair[1];
    }
  }

  /// Adds one number to one bucket.
  public void add(double number, int bucket) {
    counts[bucket]++;
    if (needsSum) {
      addSum(bucket, number);
    }
    if (needsExtremes) {
      minima[bucket] = Math.min(minima[bucket], number);
      maxima[bucket] = Math.max(maxima[bucket], number);
    }
    if (needsSquares) {
      pair[0] = squares[bucket];
      pair[1] = squaresLost[bucket];
      Moments.add(pair, number * number, 0);
      squares[bucket] = pair[0];
      squaresLost[bucket] = pair[1];
    }
  }

  public Moments result(long bucket) {
    if (bucket >= counts.length || counts[(int) bucket] == 0) {
      return Moments.NONE;
    }
    int i = (int) bucket;
    return new Moments(
        counts[i],
        needsSum ? sums[i] : 0,
        needsSum ? sumsLost[i] : 0,
        needsExtremes ? minima[i] : Double.POSITIVE_INFINITY,
        needsExtremes ? maxima[i] : Double.NEGATIVE_INFINITY,
        needsSquares ? squares[i] : 0,
        needsSquares ? squaresLost[i] : 0);
  }

  private void addSum(int bucket, double number) {
    double old = sums[bucket];
    double corrected = number + sumsLost[bucket];
    double updated = old + corrected;
    if (Double.isFinite(updated)) {
      sumsLost[bucket] = corrected - (updated - old);
      sums[bucket] = updated;
    } else {
      sums[bucket] = old + number;
    }
  }

  /// Sums into [#pair] over four lanes, so that the chains of additions overlap.
  private void sum(double[] numbers, int count, boolean isSquared) {
    double a = 0, b = 0, c = 0, d = 0, aLost = 0, bLost = 0, cLost = 0, dLost = 0;
    int lanes = count & ~3;
    for (int i = 0; i < lanes; i += 4) {
      double w = numbers[i], x = numbers[i + 1], y = numbers[i + 2], z = numbers[i + 3];
      double aNext = a + (w = (isSquared ? w * w : w) + aLost);
      double bNext = b + (x = (isSquared ? x * x : x) + bLost);
      double cNext = c + (y = (isSquared ? y * y : y) + cLost);
      double dNext = d + (z = (isSquared ? z * z : z) + dLost);
      aLost = w - (aNext - a);
      bLost = x - (bNext - b);
      cLost = y - (cNext - c);
      dLost = z - (dNext - d);
      a = aNext;
      b = bNext;
      c = cNext;
      d = dNext;
    }
    if (Double.isFinite(a + b + c + d + aLost + bLost + cLost + dLost)) {
      Moments.add(pair, a, aLost);
      Moments.add(pair, b, bLost);
      Moments.add(pair, c, cLost);
      Moments.add(pair, d, dLost);
    } else {
      lanes = 0;
    }
    for (int i = lanes; i < count; i++) {
      Moments.add(pair, isSquared ? numbers[i] * numbers[i] : numbers[i], 0);
    }
  }
}
