package dev.holdfast.api.search.tile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import org.apache.lucene.geo.Point;

/// A tile of the web's maps: the earth in the spherical Mercator projection, cut into `2^zoom`
/// columns and rows.
record MapTile(int zoom, int column, int row) {
  private static final int ZOOM_MAX = 29;

  /// Where the projection ends.
  private static final double LATITUDE_MAX = 85.0511287798066;

  MapTile {
    if (zoom < 0 || zoom > ZOOM_MAX) {
      throw Refusal.badArgument(
          "Invalid geotile_grid precision of "
              + zoom
              + ". Must be between 0 and "
              + ZOOM_MAX
              + ".");
    }
    int tiles = 1 << zoom;
    if (column < 0 || row < 0 || column >= tiles || row >= tiles) {
      throw Refusal.badArgument(
          "Zoom/X/Y combination is not valid: " + zoom + "/" + column + "/" + row);
    }
  }

  /// A tile as a request or the key of a bucket names it.
  ///
  /// @throws Refusal `number_format_exception` or `illegal_argument_exception`
  static MapTile of(String zoom, String column, String row) {
    return new MapTile(number(zoom), number(column), number(row));
  }

  /// @param key `zoom/column/row`
  static MapTile of(String key) {
    String[] parts = key.split("/", 3);
    return of(parts[0], parts[1], parts[2]);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + text + "\"");
    }
  }

  double north() {
    return latitude(row);
  }

  double south() {
    return latitude(row + 1.0);
  }

  double west() {
    return longitude(column);
  }

  double east() {
    return longitude(column + 1.0);
  }

  Point middle() {
    return new Point(latitude(row + 0.5), longitude(column + 0.5));
  }

  private double latitude(double from) {
    return Math.toDegrees(Math.atan(Math.sinh(Math.PI * (1 - 2 * (from / tiles())))));
  }

  private double longitude(double from) {
    return from / tiles() * 360 - 180;
  }

  private double tiles() {
    return 1L << zoom;
  }

  /// How far east of the tile's western side a longitude is, in tiles.
  double x(double longitude) {
    return (longitude + 180) / 360 * tiles() - column;
  }

  /// How far south of the tile's northern side a latitude is, in tiles.
  double y(double latitude) {
    double sine = Math.sin(Math.toRadians(Math.clamp(latitude, -LATITUDE_MAX, LATITUDE_MAX)));
    return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * tiles() - row;
  }

  /// The tile as queries and aggregations name boxes.
  ObjectNode box() {
    ObjectNode box = Json.object();
    box.putObject("top_left").put("lat", north()).put("lon", west());
    box.putObject("bottom_right").put("lat", south()).put("lon", east());
    return box;
  }
}
