package dev.holdfast.query.aggregation.bucket.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.geo.GeohashLevels;
import dev.holdfast.query.aggregation.metric.geo.GeoBox;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.Locale;

/// A way to cut the earth into cells. A cell is a number that holds its precision, so that it can
/// be shown.
public enum GeoCells {
  /// Geohashes: bits of longitude and latitude in turn, five to a character.
  GEOHASH("geohash_grid", 5, 1, 12) {
    @Override
    long cell(double latitude, double longitude, int precision) {
      int bits = precision * BITS_PER_CHARACTER;
      int longitudeBits = (bits + 1) / 2;
      long x = scaled((longitude + 180) / 360, longitudeBits);
      long y = scaled((latitude + 90) / 180, bits / 2);
      long hash = 0;
      int xLeft = longitudeBits;
      int yLeft = bits / 2;
      for (int i = 0; i < bits; i++) {
        long bit = i % 2 == 0 ? x >>> --xLeft : y >>> --yLeft;
        hash = (hash << 1) | (bit & 1);
      }
      return (hash << 4) | precision;
    }

    @Override
    String text(long cell) {
      int precision = (int) (cell & 15);
      long hash = cell >>> 4;
      char[] text = new char[precision];
      for (int i = precision - 1; i >= 0; i--) {
        text[i] = ALPHABET.charAt((int) (hash & 31));
        hash >>>= BITS_PER_CHARACTER;
      }
      return new String(text);
    }

    @Override
    GeoBox box(long cell) {
      int bits = (int) (cell & 15) * BITS_PER_CHARACTER;
      double[] low = {-180, -90};
      double[] high = {180, 90};
      for (int i = 0; i < bits; i++) {
        int axis = i % 2;
        double middle = (low[axis] + high[axis]) / 2;
        if ((cell >>> 4 >>> (bits - 1 - i) & 1) == 1) {
          low[axis] = middle;
        } else {
          high[axis] = middle;
        }
      }
      return new GeoBox(high[1], low[0], low[1], high[0]);
    }

    // A whole number, or a distance: cells are then about as large as that.
    @Override
    int precisionOf(String text) {
      return text.matches("[+-]?\\d+") ? super.precisionOf(text) : GeohashLevels.of(text);
    }

    private static long scaled(double share, int bits) {
      long cells = 1L << bits;
      return Math.clamp((long) Math.floor(share * cells), 0, cells - 1);
    }
  },
  /// Tiles of the web's maps: zoom, column, row.
  GEOTILE("geotile_grid", 7, 0, 29) {
    @Override
    long cell(double latitude, double longitude, int precision) {
      long tiles = 1L << precision;
      double x = (longitude + 180) / 360 * tiles;
      double sine =
          Math.sin(Math.toRadians(Math.clamp(latitude, -TILE_LATITUDE_MAX, TILE_LATITUDE_MAX)));
      double y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * tiles;
      return tile(precision, index(x, tiles), index(y, tiles));
    }

    @Override
    String text(long cell) {
      long mask = (1L << COLUMN_SHIFT) - 1;
      return String.format(
          Locale.ROOT,
          "%d/%d/%d",
          cell >>> ZOOM_SHIFT,
          (cell >>> COLUMN_SHIFT) & mask,
          cell & mask);
    }

    @Override
    GeoBox box(long cell) {
      long mask = (1L << COLUMN_SHIFT) - 1;
      double tiles = 1L << (cell >>> ZOOM_SHIFT);
      long x = (cell >>> COLUMN_SHIFT) & mask;
      long y = cell & mask;
      return new GeoBox(
          latitude(y / tiles),
          x / tiles * 360 - 180,
          latitude((y + 1) / tiles),
          (x + 1) / tiles * 360 - 180);
    }

    private static double latitude(double share) {
      return Math.toDegrees(Math.atan(Math.sinh(Math.PI * (1 - 2 * share))));
    }

    private static long index(double position, long tiles) {
      return Math.clamp((long) Math.floor(position), 0, tiles - 1);
    }
  };

  private static final String ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz";
  private static final int BITS_PER_CHARACTER = 5;
  private static final int ZOOM_SHIFT = 58;
  private static final int COLUMN_SHIFT = 29;
  private static final double TILE_LATITUDE_MAX = 85.0511287798066;

  private final String typeName;
  private final int precisionDefault;
  private final int precisionMin;
  private final int precisionMax;

  GeoCells(String typeName, int precisionDefault, int precisionMin, int precisionMax) {
    this.typeName = typeName;
    this.precisionDefault = precisionDefault;
    this.precisionMin = precisionMin;
    this.precisionMax = precisionMax;
  }

  static long tile(int zoom, long column, long row) {
    return ((long) zoom << ZOOM_SHIFT) | (column << COLUMN_SHIFT) | row;
  }

  abstract long cell(double latitude, double longitude, int precision);

  abstract String text(long cell);

  /// What a cell covers.
  abstract GeoBox box(long cell);

  String typeName() {
    return typeName;
  }

  int precisionDefault() {
    return precisionDefault;
  }

  /// @throws Refusal `number_format_exception` when the text is no precision
  int precisionOf(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + text + "\"", e);
    }
  }

  /// A number, cut to a whole one, or a text.
  ///
  /// @throws Refusal when out of bounds
  int precision(JsonNode node) {
    if (!node.isNumber() && !node.isTextual()) {
      throw Refusal.badArgument("precision is a number or a text, not [" + node + "]");
    }
    int precision = node.isNumber() ? node.intValue() : precisionOf(node.asText());
    if (precision < precisionMin || precision > precisionMax) {
      throw Refusal.badArgument(
          "Invalid "
              + typeName
              + " precision of "
              + precision
              + ". Must be between "
              + precisionMin
              + " and "
              + precisionMax
              + ".");
    }
    return precision;
  }
}
