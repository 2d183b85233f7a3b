package dev.holdfast.query.aggregation.column;

import dev.holdfast.query.collect.PointInterval;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// Counts of points between ascending bounds, in one walk of the tree: cells inside one bucket are
/// counted whole, only those a bound cuts are opened.
public final class PointCounts {
  private static final long POINTS_PER_BOUND = 1024;

  private final long[] bounds;
  private final int bins;
  private final long[] counts;

  /// @param bounds bin `i` is `[bounds[i], bounds[i + 1])`, the last one without end; values below
  ///   the first are not counted
  private PointCounts(long[] bounds, int bins, long[] counts) {
    this.bounds = bounds;
    this.bins = bins;
    this.counts = counts;
  }

  /// Whether a walk costs less than reading the column. Each bound inside the segment's span opens
  /// a leaf of about 512 points, which costs some times what a column loop pays for them.
  public static boolean isWorth(PointValues points, long[] bounds, int bins) throws IOException {
    int first = Math.max(0, Bins.search(bounds, bins, decode(points.getMinPackedValue())));
    int last = Math.max(0, Bins.search(bounds, bins, decode(points.getMaxPackedValue())));
    return (last - first) * POINTS_PER_BOUND <= points.size();
  }

  /// Adds to `counts[i]` the points of bin `i`.
  public static void add(PointValues points, long[] bounds, int bins, long[] counts)
      throws IOException {
    new PointCounts(bounds, bins, counts).walk(points.getPointTree());
  }

  /// Counts the points of each bin that lie in an interval.
  ///
  /// @param bounds cover all points of the interval
  /// @return null when reading the column costs less
  public static long @Nullable [] within(
      PointValues points, PointInterval interval, long[] bounds, int bins) throws IOException {
    int first = Math.max(0, Bins.search(bounds, bins, interval.from()));
    int last = Bins.search(bounds, bins, interval.to());
    long[] counts = new long[bins];
    if (last < first) {
      return counts;
    }
    int size = last - first + 1;
    if (size * POINTS_PER_BOUND > interval.count(points)) {
      return null;
    }
    // One more bin for what lies above the interval; what lies below it has none.
    boolean hasAbove = interval.to() < Long.MAX_VALUE;
    long[] clipped = Arrays.copyOfRange(bounds, first, first + size + (hasAbove ? 1 : 0));
    clipped[0] = Math.max(clipped[0], interval.from());
    if (hasAbove) {
      clipped[size] = interval.to() + 1;
    }
    long[] row = new long[clipped.length];
    add(points, clipped, clipped.length, row);
    System.arraycopy(row, 0, counts, first, size);
    return counts;
  }

  public static long decode(byte[] packed) {
    return switch (packed.length) {
      case Long.BYTES -> NumericUtils.sortableBytesToLong(packed, 0);
      case Integer.BYTES -> NumericUtils.sortableBytesToInt(packed, 0);
      default -> throw new IllegalArgumentException("point of " + packed.length + " bytes");
    };
  }

  private void walk(PointValues.PointTree tree) throws IOException {
    int low = Bins.search(bounds, bins, decode(tree.getMinPackedValue()));
    int high = Bins.search(bounds, bins, decode(tree.getMaxPackedValue()));
    if (low == high) {
      if (low >= 0) {
        counts[low] += tree.size();
      }
    } else if (tree.moveToChild()) {
      do {
        walk(tree);
      } while (tree.moveToSibling());
      tree.moveToParent();
    } else {
      tree.visitDocValues(new Values(low));
    }
  }

  private final class Values implements PointValues.IntersectVisitor {
    private int bin;

    Values(int bin) {
      this.bin = bin;
    }

    @Override
    public void visit(int doc) {
      counts[bin]++;
    }

    @Override
    public void visit(int doc, byte[] packed) {
      long value = decode(packed);
      if (bin < 0 || value < bounds[bin] || (bin + 1 < bins && value >= bounds[bin + 1])) {
        bin = Bins.search(bounds, bins, value);
      }
      if (bin >= 0) {
        counts[bin]++;
      }
    }

    @Override
    public PointValues.Relation compare(byte[] min, byte[] max) {
      return PointValues.Relation.CELL_CROSSES_QUERY;
    }
  }
}
