package dev.holdfast.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.geo.Line;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.geo.Rectangle;
import org.jspecify.annotations.Nullable;

/// Shapes from well-known text to GeoJSON and back, for showing them.
public final class ShapeText {
  /// GeoJSON's types by their names in small letters, and how deep their lists of places nest.
  private static final Map<String, Integer> DEPTHS =
      Map.of(
          "point", 0,
          "multipoint", 1,
          "linestring", 1,
          "multilinestring", 2,
          "polygon", 2,
          "multipolygon", 3);

  private ShapeText() {}

  /// A shape in well-known text as GeoJSON.
  ///
  /// @throws Refusal `parse_exception` when it is none
  public static ObjectNode toJson(String text) {
    try {
      return json(WellKnownText.read(text));
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          dev.holdfast.world.ErrorType.PARSE, "failed to parse WKT: " + e.getMessage(), e);
    }
  }

  /// What is `EMPTY` has lost its kind: a collection of nothing.
  private static ObjectNode json(@Nullable Object shape) {
    return switch (shape) {
      case null -> json(new Object[0]);
      case double[] place -> shape("Point", place(place[0], place[1]));
      case double[][] places -> {
        ArrayNode points = Json.object().putArray("places");
        for (double[] place : places) {
          points.add(place(place[0], place[1]));
        }
        yield shape("MultiPoint", points);
      }
      case Line line -> shape("LineString", places(line.getLons(), line.getLats()));
      case Line[] lines -> {
        ArrayNode all = Json.object().putArray("places");
        for (Line line : lines) {
          if (line != null) {
            all.add(places(line.getLons(), line.getLats()));
          }
        }
        yield shape("MultiLineString", all);
      }
      case Polygon polygon -> shape("Polygon", rings(polygon));
      case Polygon[] polygons -> {
        ArrayNode all = Json.object().putArray("places");
        for (Polygon polygon : polygons) {
          if (polygon != null) {
            all.add(rings(polygon));
          }
        }
        yield shape("MultiPolygon", all);
      }
      case Rectangle box -> {
        ArrayNode corners = Json.object().putArray("places");
        corners.add(place(box.minLon, box.maxLat)).add(place(box.maxLon, box.minLat));
        yield shape("Envelope", corners);
      }
      case Object[] parts -> {
        ObjectNode all = Json.object().put("type", "GeometryCollection");
        ArrayNode geometries = all.putArray("geometries");
        for (Object part : parts) {
          geometries.add(json(part));
        }
        yield all;
      }
      default -> throw new IllegalArgumentException("unknown geometry " + shape);
    };
  }

  private static ObjectNode shape(String type, JsonNode places) {
    ObjectNode shape = Json.object().put("type", type);
    shape.set("coordinates", places);
    return shape;
  }

  private static ArrayNode rings(Polygon polygon) {
    ArrayNode rings = Json.object().putArray("places");
    rings.add(places(polygon.getPolyLons(), polygon.getPolyLats()));
    for (Polygon hole : polygon.getHoles()) {
      rings.add(places(hole.getPolyLons(), hole.getPolyLats()));
    }
    return rings;
  }

  private static ArrayNode places(double[] longitudes, double[] latitudes) {
    ArrayNode places = Json.object().putArray("places");
    for (int i = 0; i < longitudes.length; i++) {
      places.add(place(longitudes[i], latitudes[i]));
    }
    return places;
  }

  private static ArrayNode place(double longitude, double latitude) {
    return Json.object().putArray("places").add(longitude).add(latitude);
  }

  /// A shape in GeoJSON as well-known text.
  ///
  /// @throws Refusal `illegal_argument_exception` for a type that is none
  public static String ofJson(JsonNode shape) {
    StringBuilder text = new StringBuilder();
    write(shape, text, 0);
    return text.toString();
  }

  private static void write(JsonNode shape, StringBuilder to, int nested) {
    String type = shape.path("type").asText().toLowerCase(Locale.ROOT);
    if (type.equals("geometrycollection") && nested <= WellKnownText.DEPTH_MAX) {
      String separator = "GEOMETRYCOLLECTION (";
      for (JsonNode part : shape.path("geometries")) {
        to.append(separator);
        write(part, to, nested + 1);
        separator = ",";
      }
      to.append(separator.equals(",") ? ")" : "GEOMETRYCOLLECTION EMPTY");
      return;
    }
    JsonNode places = shape.path("coordinates");
    if (type.equals("envelope") || type.equals("bbox")) {
      to.append("BBOX (").append(places.at("/0/0").asDouble());
      to.append(", ").append(places.at("/1/0").asDouble());
      to.append(", ").append(places.at("/0/1").asDouble());
      to.append(", ").append(places.at("/1/1").asDouble()).append(')');
      return;
    }
    Integer depth = DEPTHS.get(type);
    if (depth == null) {
      throw Refusal.badArgument("unknown geo_shape [" + shape.path("type").asText() + "]");
    }
    to.append(type.toUpperCase(Locale.ROOT)).append(' ');
    if (depth == 0) {
      to.append('(');
      writePlace(places, to);
      to.append(')');
    } else {
      writePlaces(places, depth, to);
    }
  }

  private static void writePlaces(JsonNode places, int depth, StringBuilder to) {
    String separator = "(";
    for (JsonNode each : places) {
      to.append(separator);
      if (depth == 1) {
        writePlace(each, to);
      } else {
        writePlaces(each, depth - 1, to);
      }
      separator = ", ";
    }
    to.append(')');
  }

  private static void writePlace(JsonNode place, StringBuilder to) {
    to.append(place.path(0).asDouble()).append(' ').append(place.path(1).asDouble());
    if (place.size() > 2) {
      to.append(' ').append(place.path(2).asDouble());
    }
  }
}
