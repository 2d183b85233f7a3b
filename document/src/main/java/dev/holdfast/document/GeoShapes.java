package dev.holdfast.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.geo.Line;
import org.apache.lucene.geo.Point;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.geo.Rectangle;
import org.jspecify.annotations.Nullable;

/// Shapes of documents and queries: GeoJSON and well-known text as Lucene's geometries.
public final class GeoShapes {
  /// Fewer places than a triangle has are no ring.
  private static final int RING_PLACES_MIN = 3;

  private GeoShapes() {}

  /// The parts of a shape; rings that do not close are closed.
  ///
  /// @throws Refusal `parse_exception` or `illegal_argument_exception`
  public static List<LatLonGeometry> readClosing(JsonNode shape) {
    return read(closed(shape));
  }

  private static JsonNode closed(JsonNode shape) {
    if (!shape.path("type").asText().toLowerCase(Locale.ROOT).endsWith("polygon")) {
      return shape;
    }
    JsonNode copy = shape.deepCopy();
    close(copy.path("coordinates"));
    return copy;
  }

  private static void close(JsonNode places) {
    if (places.path(0).path(0).isNumber()) {
      if (places instanceof ArrayNode ring
          && ring.size() >= RING_PLACES_MIN
          && !ring.get(0).equals(ring.get(ring.size() - 1))) {
        ring.add(ring.get(0));
      }
      return;
    }
    places.forEach(GeoShapes::close);
  }

  /// The corners of a part, those of its holes included.
  public static long points(LatLonGeometry part) {
    return switch (part) {
      case Line line -> line.numPoints();
      case Polygon polygon -> {
        Polygon[] holes = polygon.getHoles();
        yield polygon.numPoints() + Arrays.stream(holes).mapToLong(GeoShapes::points).sum();
      }
      default -> 1;
    };
  }

  /// The parts of a shape.
  ///
  /// @throws Refusal `parse_exception` or `illegal_argument_exception`
  public static List<LatLonGeometry> read(JsonNode shape) {
    List<LatLonGeometry> parts = new ArrayList<>();
    try {
      if (shape.isTextual()) {
        addText(WellKnownText.read(shape.asText()), parts);
      } else if (shape.isObject()) {
        addJson(shape, parts, 0);
      } else {
        throw fault("shape must be an object consisting of type and coordinates");
      }
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument(String.valueOf(e.getMessage()));
    }
    return parts;
  }

  private static Refusal fault(String reason) {
    return new Refusal(dev.holdfast.world.ErrorType.PARSE, reason);
  }

  private static void addText(@Nullable Object shape, List<LatLonGeometry> to) {
    switch (shape) {
      case null -> {} // EMPTY
      case double[] point -> to.add(new Point(point[1], point[0]));
      case double[][] points -> {
        for (double[] point : points) {
          to.add(new Point(point[1], point[0]));
        }
      }
      case Rectangle box -> addBox(box.minLon, box.maxLat, box.maxLon, box.minLat, to);
      case LatLonGeometry geometry -> to.add(geometry);
      case Object[] parts -> {
        for (Object part : parts) {
          addText(part, to);
        }
      }
      default -> throw fault("unknown geometry " + shape);
    }
  }

  private static void addJson(JsonNode shape, List<LatLonGeometry> to, int depth) {
    JsonNode type = shape.get("type");
    if (type == null) {
      throw fault("shape type not included");
    }
    if (depth > WellKnownText.DEPTH_MAX) {
      throw fault(
          "a parent node [shape] exceeds the maximum depth of [" + WellKnownText.DEPTH_MAX + "]");
    }
    String name = type.asText().toLowerCase(Locale.ROOT);
    if (name.equals("geometrycollection")) {
      for (JsonNode part : required(shape, "geometries")) {
        addJson(part, to, depth + 1);
      }
      return;
    }
    JsonNode places = required(shape, "coordinates");
    switch (name) {
      case "point" -> to.add(point(places));
      case "multipoint" -> places.forEach(place -> to.add(point(place)));
      case "linestring" -> to.add(line(places));
      case "multilinestring" -> places.forEach(line -> to.add(line(line)));
      case "polygon" -> to.add(polygon(places));
      case "multipolygon" -> places.forEach(polygon -> to.add(polygon(polygon)));
      case "envelope", "bbox" -> {
        if (places.size() != 2) {
          throw fault(
              "invalid number of points ["
                  + places.size()
                  + "] provided for geo_shape [envelope] when expecting an array of 2 coordinates");
        }
        addBox(lon(places.get(0)), lat(places.get(0)), lon(places.get(1)), lat(places.get(1)), to);
      }
      default -> throw Refusal.badArgument("unknown geo_shape [" + type.asText() + "]");
    }
  }

  private static JsonNode required(JsonNode shape, String name) {
    JsonNode value = shape.get(name);
    if (value == null || !value.isArray()) {
      throw fault("shape " + name + " not included");
    }
    return value;
  }

  private static void addBox(
      double left, double top, double right, double bottom, List<LatLonGeometry> to) {
    requireLongitude(left);
    requireLongitude(right);
    if (left > right) {
      addBox(left, top, 180, bottom, to);
      addBox(-180, top, right, bottom, to);
      return;
    }
    to.add(
        new Polygon(
            new double[] {bottom, bottom, top, top, bottom},
            new double[] {left, right, right, left, left}));
  }

  private static void requireLongitude(double degrees) {
    if (!(Math.abs(degrees) <= 180)) {
      throw Refusal.badArgument(
          "invalid longitude " + degrees + "; must be between -180.0 and 180.0");
    }
  }

  private static double lon(JsonNode place) {
    return number(place, 0);
  }

  private static double lat(JsonNode place) {
    return number(place, 1);
  }

  private static double number(JsonNode place, int at) {
    JsonNode number = place.get(at);
    if (number == null || !number.isNumber()) {
      throw fault("geo coordinates must be numbers");
    }
    return number.doubleValue();
  }

  private static Point point(JsonNode place) {
    return new Point(lat(place), lon(place));
  }

  private static Line line(JsonNode places) {
    return new Line(axis(places, 1, false), axis(places, 0, false));
  }

  private static Polygon polygon(JsonNode rings) {
    if (rings.isEmpty()) {
      throw fault("Polygon must have at least one ring");
    }
    Polygon[] holes = new Polygon[rings.size() - 1];
    for (int i = 1; i < rings.size(); i++) {
      holes[i - 1] = new Polygon(axis(rings.get(i), 1, true), axis(rings.get(i), 0, true));
    }
    return new Polygon(axis(rings.get(0), 1, true), axis(rings.get(0), 0, true), holes);
  }

  /// One coordinate of all places.
  ///
  /// @param isRing whether the last place must be the first
  private static double[] axis(JsonNode places, int at, boolean isRing) {
    if (!places.isArray()) {
      throw Refusal.badArgument("the coordinates of a line or a ring must be an array of points");
    }
    int size = places.size();
    if (isRing && (size == 0 || !places.get(0).equals(places.get(size - 1)))) {
      throw Refusal.badArgument(
          "first and last points of the linear ring must be the same (it must close itself)");
    }
    double[] values = new double[size];
    for (int i = 0; i < size; i++) {
      values[i] = number(places.get(i), at);
    }
    return values;
  }
}
