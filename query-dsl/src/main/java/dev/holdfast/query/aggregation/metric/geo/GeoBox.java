package dev.holdfast.query.aggregation.metric.geo;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.document.field.geo.GeoPoints.LatLon;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/// A box on the earth; one whose left side is greater than its right crosses the date line.
public record GeoBox(double top, double left, double bottom, double right) {
  private static final Set<String> MEMBERS =
      Set.of(
          "top", "left", "bottom", "right", "top_left", "bottom_right", "top_right", "bottom_left");

  /// Reads `top_left` and `bottom_right`, `top_right` and `bottom_left`, or the four sides.
  public static GeoBox parse(JsonNode node) {
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      if (!MEMBERS.contains(member.getKey())) {
        throw new Refusal(
            ErrorType.PARSE,
            "failed to parse bounding box. unexpected field [" + member.getKey() + "]");
      }
    }
    if (node.has("top_left") && node.has("bottom_right")) {
      LatLon topLeft = GeoPoints.of(node.get("top_left"));
      LatLon bottomRight = GeoPoints.of(node.get("bottom_right"));
      return new GeoBox(topLeft.lat(), topLeft.lon(), bottomRight.lat(), bottomRight.lon());
    }
    if (node.has("top_right") && node.has("bottom_left")) {
      LatLon topRight = GeoPoints.of(node.get("top_right"));
      LatLon bottomLeft = GeoPoints.of(node.get("bottom_left"));
      return new GeoBox(topRight.lat(), bottomLeft.lon(), bottomLeft.lat(), topRight.lon());
    }
    return new GeoBox(
        side(node, "top"), side(node, "left"), side(node, "bottom"), side(node, "right"));
  }

  private static double side(JsonNode node, String name) {
    JsonNode side = node.path(name);
    if (!side.isNumber()) {
      throw Refusal.badArgument("failed to parse bounding box: no [" + name + "] in " + node);
    }
    return side.doubleValue();
  }

  /// Whether another box, which does not cross the date line, has a part inside this one; touching
  /// is not enough.
  public boolean overlaps(GeoBox cell) {
    if (cell.bottom >= top || cell.top <= bottom) {
      return false;
    }
    return left <= right
        ? cell.left < right && cell.right > left
        : cell.right > left || cell.left < right;
  }

  /// What two boxes that do not cross the date line share; inside out when they are apart.
  public GeoBox within(GeoBox other) {
    return new GeoBox(
        Math.min(top, other.top),
        Math.max(left, other.left),
        Math.max(bottom, other.bottom),
        Math.min(right, other.right));
  }

  void write(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("bounds");
    writePoint("top_left", top, left, out);
    writePoint("bottom_right", bottom, right, out);
    out.writeEndObject();
  }

  static void writePoint(String name, double latitude, double longitude, JsonGenerator out)
      throws IOException {
    out.writeObjectFieldStart(name);
    out.writeNumberField("lat", latitude);
    out.writeNumberField("lon", longitude);
    out.writeEndObject();
  }
}
