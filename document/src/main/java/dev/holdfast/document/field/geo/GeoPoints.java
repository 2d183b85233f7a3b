package dev.holdfast.document.field.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.geo.GeoEncodingUtils;

/// Every way to write a point: `{"lat", "lon"}`, GeoJSON, `[lon, lat]`, `"lat,lon"`, WKT, geohash.
public final class GeoPoints {
  /// Degrees.
  public record LatLon(double lat, double lon) {}

  private static final Pattern WKT =
      Pattern.compile(
          "\\s*POINT\\s*\\(\\s*(\\S+)\\s+(\\S+?)(\\s+\\S+)?\\s*\\)\\s*", Pattern.CASE_INSENSITIVE);
  private static final String GEOHASH = "0123456789bcdefghjkmnpqrstuvwxyz";
  private static final int GEOHASH_LENGTH_MAX = 12;

  private GeoPoints() {}

  /// @throws Refusal `parse_exception` for anything else
  public static LatLon of(JsonNode value) {
    if (value.isTextual()) {
      return ofText(value.asText());
    }
    if (value.isObject()) {
      return ofObject(value);
    }
    if (value.isArray()) {
      return ofArray(value);
    }
    throw fault("geo_point expected");
  }

  /// As documents have the point: Lucene's `LatLonDocValuesField` encoding.
  public static long docValue(LatLon point) {
    return ((long) GeoEncodingUtils.encodeLatitude(point.lat()) << 32)
        | (GeoEncodingUtils.encodeLongitude(point.lon()) & 0xFFFFFFFFL);
  }

  private static LatLon ofArray(JsonNode value) {
    if (value.size() < 2 || value.size() > 3) {
      throw fault(
          value.size() > 3
              ? "[geo_point] field type does not accept more than 3 values"
              : "geo_point expected");
    }
    if (!value.get(0).isNumber() || !value.get(1).isNumber()) {
      throw fault("numeric value expected");
    }
    return new LatLon(number("lat", value.get(1)), number("lon", value.get(0)));
  }

  private static LatLon ofObject(JsonNode value) {
    if (value.has("type") || value.has("coordinates")) {
      if (!value.path("type").asText().equalsIgnoreCase("point")
          || !value.path("coordinates").isArray()) {
        throw fault("[type] for geo_point can only be 'Point'");
      }
      return ofArray(value.get("coordinates"));
    }
    if (value.has("geohash")) {
      return ofGeohash(value.get("geohash").asText());
    }
    value
        .fieldNames()
        .forEachRemaining(name -> {
          if (!name.equals("lat") && !name.equals("lon") && !name.equals("z")) {
            throw fault("field must be either [lat], [lon], [geohash], [type] or [coordinates]");
          }
        });
    if (!value.has("lat")) {
      throw fault("field [lat] missing");
    }
    if (!value.has("lon")) {
      throw fault("field [lon] missing");
    }
    return new LatLon(number("lat", value.get("lat")), number("lon", value.get("lon")));
  }

  private static double number(String name, JsonNode value) {
    if (value.isNumber()) {
      return value.doubleValue();
    }
    if (value.isTextual()) {
      try {
        return Double.parseDouble(value.asText());
      } catch (NumberFormatException e) {
        throw fault("[" + name + "] must be a valid double value");
      }
    }
    throw fault(name + " must be a number");
  }

  static LatLon ofText(String text) {
    int comma = text.indexOf(',');
    if (comma >= 0) {
      String[] parts = text.split(",", -1);
      if (parts.length > 3) {
        throw fault(
            "failed to parse ["
                + text
                + "], expected 2 or 3 coordinates but found: ["
                + parts.length
                + "]");
      }
      return new LatLon(degrees("latitude", parts[0]), degrees("longitude", parts[1]));
    }
    if (text.toUpperCase(Locale.ROOT).contains("POINT")) {
      Matcher wkt = WKT.matcher(text);
      if (!wkt.matches()) {
        throw fault("Invalid WKT format");
      }
      return new LatLon(degrees("latitude", wkt.group(2)), degrees("longitude", wkt.group(1)));
    }
    return ofGeohash(text);
  }

  private static double degrees(String what, String text) {
    try {
      return Double.parseDouble(text.trim());
    } catch (NumberFormatException e) {
      throw fault(what + " must be a number");
    }
  }

  /// One corner of a box: a geohash is its whole cell, and means the cell's corner of that side.
  ///
  /// @throws Refusal `parse_exception` for what is no point
  public static LatLon ofCorner(JsonNode value, boolean isNorth, boolean isEast) {
    JsonNode hash = value.isObject() ? value.path("geohash") : value;
    if (!hash.isTextual() || (value.isTextual() && !isGeohash(value.asText()))) {
      return of(value);
    }
    return ofGeohash(hash.asText(), isNorth, isEast);
  }

  /// Refuses a geohash in capitals, which documents may not have.
  static void refuseCapitals(JsonNode value) {
    JsonNode hash = value.isObject() ? value.path("geohash") : value;
    if (!hash.isTextual() || (value.isTextual() && !isGeohash(value.asText()))) {
      return;
    }
    String text = hash.asText();
    for (int i = 0; i < text.length(); i++) {
      if (Character.isUpperCase(text.charAt(i))) {
        throw fault("unsupported symbol [" + text.charAt(i) + "] in geohash [" + text + "]");
      }
    }
  }

  private static boolean isGeohash(String text) {
    return text.indexOf(',') < 0 && !text.toUpperCase(Locale.ROOT).contains("POINT");
  }

  /// The cell's southern and western corner.
  static LatLon ofGeohash(String hash) {
    return ofGeohash(hash, false, false);
  }

  private static LatLon ofGeohash(String hash, boolean isNorth, boolean isEast) {
    if (hash.isEmpty() || hash.length() > GEOHASH_LENGTH_MAX) {
      throw fault("unsupported symbol or length in geohash [" + hash + "]");
    }
    double south = -90;
    double north = 90;
    double west = -180;
    double east = 180;
    boolean isLon = true;
    for (char c : hash.toLowerCase(Locale.ROOT).toCharArray()) {
      int five = GEOHASH.indexOf(c);
      if (five < 0) {
        throw fault("unsupported symbol [" + c + "] in geohash [" + hash + "]");
      }
      for (int bit = 4; bit >= 0; bit--, isLon = !isLon) {
        boolean isUpper = ((five >> bit) & 1) == 1;
        double middle = isLon ? (west + east) / 2 : (south + north) / 2;
        if (isLon && isUpper) {
          west = middle;
        } else if (isLon) {
          east = middle;
        } else if (isUpper) {
          south = middle;
        } else {
          north = middle;
        }
      }
    }
    return new LatLon(isNorth ? north : south, isEast ? east : west);
  }

  static Refusal fault(String reason) {
    return new Refusal(ErrorType.PARSE, reason);
  }
}
