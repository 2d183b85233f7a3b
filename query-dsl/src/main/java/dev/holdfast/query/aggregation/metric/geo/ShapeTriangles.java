package dev.holdfast.query.aggregation.metric.geo;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.document.ShapeField;
import org.apache.lucene.document.ShapeField.DecodedTriangle;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.IntroSorter;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// The triangles, lines and points that the shapes of a segment were cut into, document by
/// document: read out of the index's tree, since shapes have no doc values.
public final class ShapeTriangles {
  /// More of a segment are not looked at in one search; about 64 MiB.
  private static final int TRIANGLES_MAX = 1 << 21;

  private static final int CORNERS = 6;

  private int[] docs = new int[64];
  private DecodedTriangle.TYPE[] types = new DecodedTriangle.TYPE[64];

  /// Longitude and latitude of three corners, as the index encodes them.
  private int[] corners = new int[64 * CORNERS];

  private int size;

  private ShapeTriangles() {}

  /// Whether a field has shapes.
  public static boolean has(QueryContext context, String field) {
    FieldType type = context.type(field);
    return type != null && type.typeName().equals("geo_shape");
  }

  /// @param within which triangles count, by the boxes around them; null for all
  /// @throws Refusal when they are too many
  public static ShapeTriangles read(LeafReader reader, String field, @Nullable GeoBox within)
      throws IOException {
    ShapeTriangles triangles = new ShapeTriangles();
    PointValues values = reader.getPointValues(field);
    if (values != null) {
      values.intersect(triangles.new Visitor(field, within));
      triangles.sort();
    }
    return triangles;
  }

  private void add(int doc, DecodedTriangle triangle) {
    if (size == docs.length) {
      docs = ArrayUtil.grow(docs, size + 1);
      types = ArrayUtil.growExact(types, docs.length);
      corners = ArrayUtil.growExact(corners, docs.length * CORNERS);
    }
    docs[size] = doc;
    types[size] = triangle.type;
    int at = size++ * CORNERS;
    corners[at] = triangle.aX;
    corners[at + 1] = triangle.aY;
    corners[at + 2] = triangle.bX;
    corners[at + 3] = triangle.bY;
    corners[at + 4] = triangle.cX;
    corners[at + 5] = triangle.cY;
  }

  private void sort() {
    new IntroSorter() {
      private int pivot;

      @Override
      protected void setPivot(int i) {
        pivot = docs[i];
      }

      @Override
      protected int comparePivot(int j) {
        return Integer.compare(pivot, docs[j]);
      }

      @Override
      protected void swap(int i, int j) {
        int doc = docs[i];
        docs[i] = docs[j];
        docs[j] = doc;
        DecodedTriangle.TYPE type = types[i];
        types[i] = types[j];
        types[j] = type;
        for (int k = 0; k < CORNERS; k++) {
          int corner = corners[i * CORNERS + k];
          corners[i * CORNERS + k] = corners[j * CORNERS + k];
          corners[j * CORNERS + k] = corner;
        }
      }
    }.sort(0, size);
  }

  /// Where a document's begin.
  public int start(int doc) {
    int at = Arrays.binarySearch(docs, 0, size, doc);
    while (at > 0 && docs[at - 1] == doc) {
      at--;
    }
    return Math.max(at, 0);
  }

  /// The place after a document's last.
  public int end(int doc, int start) {
    int end = start;
    while (end < size && docs[end] == doc) {
      end++;
    }
    return end;
  }

  public DecodedTriangle.TYPE type(int at) {
    return types[at];
  }

  public double longitude(int at, int corner) {
    return GeoEncodingUtils.decodeLongitude(corners[at * CORNERS + 2 * corner]);
  }

  public double latitude(int at, int corner) {
    return GeoEncodingUtils.decodeLatitude(corners[at * CORNERS + 2 * corner + 1]);
  }

  /// The box around one.
  public GeoBox box(int at) {
    double north = latitude(at, 0);
    double south = north;
    double east = longitude(at, 0);
    double west = east;
    for (int corner = 1; corner < CORNERS / 2; corner++) {
      north = Math.max(north, latitude(at, corner));
      south = Math.min(south, latitude(at, corner));
      east = Math.max(east, longitude(at, corner));
      west = Math.min(west, longitude(at, corner));
    }
    return new GeoBox(north, west, south, east);
  }

  private final class Visitor implements PointValues.IntersectVisitor {
    private final String field;
    private final @Nullable GeoBox within;
    private final DecodedTriangle triangle = new DecodedTriangle();

    Visitor(String field, @Nullable GeoBox within) {
      this.field = field;
      this.within = within;
    }

    @Override
    public void visit(int docId) {
      throw new IllegalStateException("no part of the tree is taken unseen");
    }

    @Override
    public void visit(int docId, byte[] packedValue) {
      if (isOutside(packedValue, packedValue)) {
        return;
      }
      if (size == TRIANGLES_MAX) {
        throw Refusal.badArgument(
            "the shapes of ["
                + field
                + "] have more than ["
                + TRIANGLES_MAX
                + "] parts to aggregate over; narrow the [bounds]");
      }
      ShapeField.decodeTriangle(packedValue, triangle);
      add(docId, triangle);
    }

    /// The tree's first four dimensions are the sides of the box around a triangle: south, west,
    /// north, east.
    private boolean isOutside(byte[] min, byte[] max) {
      if (within == null) {
        return false;
      }
      double south = GeoEncodingUtils.decodeLatitude(NumericUtils.sortableBytesToInt(min, 0));
      double west =
          GeoEncodingUtils.decodeLongitude(NumericUtils.sortableBytesToInt(min, Integer.BYTES));
      double north =
          GeoEncodingUtils.decodeLatitude(NumericUtils.sortableBytesToInt(max, 2 * Integer.BYTES));
      double east =
          GeoEncodingUtils.decodeLongitude(NumericUtils.sortableBytesToInt(max, 3 * Integer.BYTES));
      boolean isBeside =
          within.left() <= within.right()
              ? west > within.right() || east < within.left()
              : west > within.right() && east < within.left();
      return isBeside || south > within.top() || north < within.bottom();
    }

    @Override
    public PointValues.Relation compare(byte[] minPackedValue, byte[] maxPackedValue) {
      return isOutside(minPackedValue, maxPackedValue)
          ? PointValues.Relation.CELL_OUTSIDE_QUERY
          : PointValues.Relation.CELL_CROSSES_QUERY;
    }
  }
}
