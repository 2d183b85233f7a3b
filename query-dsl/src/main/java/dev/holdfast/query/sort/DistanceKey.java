package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.geo.GeoPoints.LatLon;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.LeafFieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.comparators.DoubleComparator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.SloppyMath;
import org.jspecify.annotations.Nullable;

/// A sort by distances; documents without a point are infinitely far.
record DistanceKey(SortField lucene) implements SortKey {
  private static final double METERS_PER_DEGREE = 111_194.92664455873;

  static SortKey of(SortSpec spec, DistanceSort sort, @Nullable NestedChildren objects) {
    FieldComparatorSource source =
        new FieldComparatorSource() {
          @Override
          public FieldComparator<?> newComparator(
              String field, int hits, Pruning pruning, boolean reversed) {
            return new DoubleComparator(
                hits, field, Double.POSITIVE_INFINITY, reversed, Pruning.NONE) {
              @Override
              public LeafFieldComparator getLeafComparator(LeafReaderContext leaf)
                  throws IOException {
                return new DoubleLeafComparator(leaf) {
                  @Override
                  protected NumericDocValues getNumericDocValues(
                      LeafReaderContext context, String name) throws IOException {
                    SortedNumericDocValues points =
                        DocValues.getSortedNumeric(context.reader(), name);
                    return new Computed(
                        objects == null ? points : objects.numbers(context, points), spec, sort);
                  }
                };
              }
            };
          }
        };
    return new DistanceKey(new SortField(spec.field(), source, spec.isDescending()));
  }

  @Override
  public @Nullable Object mergeable(@Nullable Object value) {
    return value;
  }

  @Override
  public @Nullable Object resumed(@Nullable Object mergeable) {
    return mergeable;
  }

  @Override
  public Object after(JsonNode shown, long nowMillis) {
    return shown.isTextual() ? Double.parseDouble(shown.asText()) : shown.asDouble();
  }

  @Override
  public @Nullable Object shown(@Nullable Object mergeable) {
    return mergeable;
  }

  /// The distance of each document that has a point.
  private static final class Computed extends NumericDocValues {
    private final SortedNumericDocValues points;
    private final SortSpec spec;
    private final DistanceSort sort;
    private double[] distances = new double[4];

    Computed(SortedNumericDocValues points, SortSpec spec, DistanceSort sort) {
      this.points = points;
      this.spec = spec;
      this.sort = sort;
    }

    @Override
    public long longValue() throws IOException {
      int count = 0;
      for (int i = points.docValueCount(); i > 0; i--) {
        long point = points.nextValue();
        distances = ArrayUtil.grow(distances, count + sort.origins().size());
        for (LatLon origin : sort.origins()) {
          distances[count++] = meters(origin, point) / sort.metersPerUnit();
        }
      }
      return Double.doubleToRawLongBits(pick(count));
    }

    private double meters(LatLon origin, long point) {
      double lat = GeoEncodingUtils.decodeLatitude((int) (point >>> 32));
      double lon = GeoEncodingUtils.decodeLongitude((int) point);
      if (!sort.isPlane()) {
        return SloppyMath.haversinMeters(origin.lat(), origin.lon(), lat, lon);
      }
      double x = (lon - origin.lon()) * Math.cos(Math.toRadians((origin.lat() + lat) / 2));
      return Math.hypot(x, lat - origin.lat()) * METERS_PER_DEGREE;
    }

    private double pick(int count) {
      SortSpec.Mode mode = spec.mode();
      if (mode == null) {
        mode = spec.isDescending() ? SortSpec.Mode.MAX : SortSpec.Mode.MIN;
      }
      Arrays.sort(distances, 0, count);
      return switch (mode) {
        case MIN -> distances[0];
        case MAX -> distances[count - 1];
        case MEDIAN -> (distances[(count - 1) / 2] + distances[count / 2]) / 2;
        case AVG -> sum(count) / count;
        case SUM -> sum(count);
      };
    }

    private double sum(int count) {
      double sum = 0;
      for (int i = 0; i < count; i++) {
        sum += distances[i];
      }
      return sum;
    }

    @Override
    public boolean advanceExact(int target) throws IOException {
      return points.advanceExact(target);
    }

    @Override
    public int docID() {
      return points.docID();
    }

    @Override
    public int nextDoc() throws IOException {
      return points.nextDoc();
    }

    @Override
    public int advance(int target) throws IOException {
      return points.advance(target);
    }

    @Override
    public long cost() {
      return points.cost();
    }
  }
}
