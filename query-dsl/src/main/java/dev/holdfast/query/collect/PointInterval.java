package dev.holdfast.query.collect;

import java.io.IOException;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.PointValues.PointTree;
import org.apache.lucene.index.PointValues.Relation;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// The values of a field of one-dimensional points that lie between two ends.
///
/// @param from inclusive
/// @param to inclusive
/// @param bytes of a point: 4 or 8
public record PointInterval(String field, long from, long to, int bytes) {
  /// What a rewritten query leaves of the values of a field; null when it asks for anything else
  /// than values of that field.
  ///
  /// @param bytes of the field's points
  public static @Nullable PointInterval of(Query rewritten, String field, int bytes) {
    return switch (rewritten) {
      case ConstantScoreQuery constant -> of(constant.getQuery(), field, bytes);
      case BoostQuery boost -> of(boost.getQuery(), field, bytes);
      case IndexOrDocValuesQuery either -> of(either.getIndexQuery(), field, bytes);
      case MatchAllDocsQuery all -> whole(field, bytes);
      case FieldExistsQuery exists when exists.getField().equals(field) -> whole(field, bytes);
      case PointRangeQuery range when isOf(range, field, bytes) ->
          new PointInterval(
              field,
              decode(range.getLowerPoint(), bytes),
              decode(range.getUpperPoint(), bytes),
              bytes);
      default -> null;
    };
  }

  /// All values of a field.
  public static PointInterval whole(String field, int bytes) {
    return new PointInterval(field, Long.MIN_VALUE, Long.MAX_VALUE, bytes);
  }

  private static boolean isOf(PointRangeQuery range, String field, int bytes) {
    return range.getField().equals(field)
        && range.getNumDims() == 1
        && range.getBytesPerDim() == bytes;
  }

  private static long decode(byte[] point, int bytes) {
    return bytes == Integer.BYTES
        ? NumericUtils.sortableBytesToInt(point, 0)
        : NumericUtils.sortableBytesToLong(point, 0);
  }

  /// Whether no value is left out.
  public boolean isWhole() {
    return from == Long.MIN_VALUE && to == Long.MAX_VALUE;
  }

  public long decode(byte[] point) {
    return decode(point, bytes);
  }

  boolean contains(long value) {
    return from <= value && value <= to;
  }

  /// How a cell with these least and greatest values lies to this interval.
  Relation relate(byte[] least, byte[] greatest) {
    long low = decode(least);
    long high = decode(greatest);
    return high < from || low > to
        ? Relation.CELL_OUTSIDE_QUERY
        : contains(low) && contains(high)
            ? Relation.CELL_INSIDE_QUERY
            : Relation.CELL_CROSSES_QUERY;
  }

  /// Documents with a value in this interval.
  public Query query() {
    return bytes == Integer.BYTES
        ? IntPoint.newRangeQuery(field, narrow(from), narrow(to))
        : LongPoint.newRangeQuery(field, from, to);
  }

  private static int narrow(long value) {
    return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /// Points of a segment in this interval, those of deleted documents too. Reads at most the two
  /// leaves that the ends fall into.
  public long count(PointValues points) throws IOException {
    return count(points.getPointTree());
  }

  private long count(PointTree tree) throws IOException {
    return switch (relate(tree.getMinPackedValue(), tree.getMaxPackedValue())) {
      case CELL_OUTSIDE_QUERY -> 0;
      case CELL_INSIDE_QUERY -> tree.size();
      case CELL_CROSSES_QUERY -> countWithin(tree);
    };
  }

  private long countWithin(PointTree tree) throws IOException {
    if (!tree.moveToChild()) {
      long[] count = new long[1];
      tree.visitDocValues(
          (LeafVisitor) (doc, value) -> count[0] += contains(decode(value)) ? 1 : 0);
      return count[0];
    }
    long count = 0;
    do {
      count += count(tree);
    } while (tree.moveToSibling());
    tree.moveToParent();
    return count;
  }

  /// The least and the greatest point of a segment in this interval, those of deleted documents
  /// too; null when there is none. Cells do not tell: their ends are where the tree was cut.
  public @Nullable Ends ends(PointValues points) throws IOException {
    Ends first = ends(points.getPointTree(), true);
    Ends last = first == null ? null : ends(points.getPointTree(), false);
    return first == null || last == null ? null : new Ends(first.least, last.greatest);
  }

  /// @param least of the points found
  /// @param greatest of the points found
  public record Ends(long least, long greatest) {}

  /// Of the first leaf, or the last, that has points in this interval.
  private @Nullable Ends ends(PointTree tree, boolean isFirst) throws IOException {
    if (relate(tree.getMinPackedValue(), tree.getMaxPackedValue()) == Relation.CELL_OUTSIDE_QUERY) {
      return null;
    }
    if (!tree.moveToChild()) {
      return endsOfLeaf(tree);
    }
    PointTree left = tree.clone(); // a clone's root is the node it was made at
    boolean hasRight = tree.moveToSibling();
    Ends ends = isFirst || !hasRight ? ends(left, isFirst) : ends(tree, isFirst);
    if (ends == null && hasRight) {
      ends = isFirst ? ends(tree, isFirst) : ends(left, isFirst);
    }
    tree.moveToParent();
    return ends;
  }

  private @Nullable Ends endsOfLeaf(PointTree leaf) throws IOException {
    long[] ends = {Long.MAX_VALUE, Long.MIN_VALUE};
    leaf.visitDocValues(
        (LeafVisitor)
            (doc, point) -> {
              long value = decode(point);
              if (contains(value)) {
                ends[0] = Math.min(ends[0], value);
                ends[1] = Math.max(ends[1], value);
              }
            });
    return ends[0] > ends[1] ? null : new Ends(ends[0], ends[1]);
  }

  /// Sees every point of a leaf with its value.
  interface LeafVisitor extends PointValues.IntersectVisitor {
    @Override
    default void visit(int doc) {
      throw new IllegalStateException("no value given [doc=" + doc + "]");
    }

    @Override
    default Relation compare(byte[] least, byte[] greatest) {
      return Relation.CELL_CROSSES_QUERY;
    }
  }
}
