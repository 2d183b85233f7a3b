package dev.holdfast.document.field.geo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.column.LongRows;
import dev.holdfast.document.column.LongsColumn;
import dev.holdfast.document.field.geo.GeoPoints.LatLon;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.document.column.LongColumn.NumericKind;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// Columns of a `geo_point`: two-dimensional points as `LatLonPoint` has them, doc values as
/// `LatLonDocValuesField` has them.
final class GeoPointColumns implements FieldColumns {
  private final String field;
  private final boolean isIndexed;
  private final boolean hasDocValues;
  private final boolean ignoresMalformed;
  private final boolean ignoresHeights;
  private final boolean takesCapitals;
  private final @Nullable LatLon nullValue;
  private final byte[] packed = new byte[2 * Integer.BYTES];
  private final BytesRows points = new BytesRows();
  private final LongRows longs = new LongRows();

  GeoPointColumns(
      String field,
      boolean isIndexed,
      boolean hasDocValues,
      boolean ignoresMalformed,
      boolean ignoresHeights,
      boolean takesCapitals,
      @Nullable LatLon nullValue) {
    this.field = field;
    this.isIndexed = isIndexed;
    this.hasDocValues = hasDocValues;
    this.ignoresMalformed = ignoresMalformed;
    this.ignoresHeights = ignoresHeights;
    this.takesCapitals = takesCapitals;
    this.nullValue = nullValue;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    try {
      if (!ignoresHeights) {
        refuseHeights(value);
      }
      switch (value.kind()) {
        case ARRAY -> addArray(row, value.tree());
        case OBJECT -> put(row, point(value.tree()));
        case STRING -> put(row, point(TextNode.valueOf(value.text())));
        default -> throw GeoPoints.fault("geo_point expected");
      }
      return true;
    } catch (Refusal malformed) {
      if (ignoresMalformed) {
        return false;
      }
      throw malformed;
    }
  }

  private static void refuseHeights(JsonValue value) {
    switch (value.kind()) {
      case ARRAY, OBJECT -> ThirdValues.refuse(value.tree());
      case STRING -> ThirdValues.refuse(TextNode.valueOf(value.text()));
      default -> {}
    }
  }

  /// One point as `[lon, lat]`, or several points.
  private void addArray(int row, JsonNode array) {
    if (!array.isEmpty() && array.get(0).isNumber()) {
      put(row, point(array));
      return;
    }
    for (JsonNode point : array) {
      if (!point.isNull()) {
        put(row, point(point));
      }
    }
  }

  private LatLon point(JsonNode given) {
    if (!takesCapitals) {
      GeoPoints.refuseCapitals(given);
    }
    return GeoPoints.of(given);
  }

  private void put(int row, LatLon point) {
    double lat = point.lat();
    double lon = point.lon();
    if (!(Math.abs(lat) <= 90)) {
      throw Refusal.badArgument("illegal latitude value [" + lat + "] for " + field);
    }
    if (!(Math.abs(lon) <= 180)) {
      throw Refusal.badArgument("illegal longitude value [" + lon + "] for " + field);
    }
    int encodedLat = GeoEncodingUtils.encodeLatitude(lat);
    int encodedLon = GeoEncodingUtils.encodeLongitude(lon);
    if (isIndexed) {
      NumericUtils.intToSortableBytes(encodedLat, packed, 0);
      NumericUtils.intToSortableBytes(encodedLon, packed, Integer.BYTES);
      points.add(row, packed, 0, packed.length);
    }
    if (hasDocValues) {
      longs.add(row, ((long) encodedLat << 32) | (encodedLon & 0xFFFFFFFFL));
    }
  }

  @Override
  public boolean addNull(int row) {
    if (nullValue == null) {
      return false;
    }
    put(row, nullValue);
    return true;
  }

  @Override
  public void truncate(int row) {
    points.truncate(row);
    longs.truncate(row);
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    if (points.count() > 0) {
      columns.accept(
          new BytesColumn(field, ColumnTypes.points(2, Integer.BYTES, true, false), points, rows));
    }
    if (longs.count() > 0) {
      columns.accept(
          new LongsColumn(
              field, ColumnTypes.numbers(true, false, 0, false), NumericKind.LONG, longs, rows));
    }
  }

  @Override
  public void clear() {
    points.clear();
    longs.clear();
  }
}
