package dev.holdfast.query.aggregation.bucket.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.metric.geo.GeoBox;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.jspecify.annotations.Nullable;

/// The cells that points lie in.
///
/// @param precision how fine, in the grid's own steps
/// @param bounds which cells count; null for all
public record PointCells(GeoCells cells, int precision, @Nullable GeoBox bounds) {
  public static final long OUTSIDE = -1;

  /// Takes `precision` and `bounds`.
  public static PointCells parse(JsonObject body, GeoCells cells) {
    JsonNode precision = body.take("precision");
    JsonNode bounds = body.take("bounds");
    return new PointCells(
        cells,
        precision == null
            ? cells.precisionDefault()
            : ParsedField.of(body.context(), "precision", () -> cells.precision(precision)),
        bounds == null ? null : GeoBox.parse(bounds));
  }

  /// The cell of a point as doc values have it; [#OUTSIDE] when it does not count.
  public long cell(long docValue) {
    return cell(
        GeoEncodingUtils.decodeLatitude((int) (docValue >>> 32)),
        GeoEncodingUtils.decodeLongitude((int) docValue));
  }

  /// The cell of a point; [#OUTSIDE] when it does not count.
  long cell(double latitude, double longitude) {
    long cell = cells.cell(latitude, longitude, precision);
    return bounds == null || bounds.overlaps(cells.box(cell)) ? cell : OUTSIDE;
  }

  public String text(long cell) {
    return cells.text(cell);
  }

  /// The tile `zoom/column/row`.
  ///
  /// @throws Refusal when it is none
  public static long tile(String text) {
    try {
      String[] parts = text.split("/", -1);
      int zoom = Integer.parseInt(parts[0]);
      long column = Long.parseLong(parts[1]);
      long row = Long.parseLong(parts[2]);
      long tiles = 1L << zoom;
      if (parts.length == 3 && zoom >= 0 && zoom <= 29 && isOf(column, tiles) && isOf(row, tiles)) {
        return GeoCells.tile(zoom, column, row);
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw noTile(text, e);
    }
    throw noTile(text, null);
  }

  private static boolean isOf(long index, long tiles) {
    return index >= 0 && index < tiles;
  }

  private static Refusal noTile(String text, @Nullable Exception why) {
    return new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "Invalid geotile_grid hash string of ["
            + text
            + "]. Must be three integers in a form \"zoom/x/y\".",
        why);
  }
}
