package dev.holdfast.api.search.tile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedOutputStream;
import dev.holdfast.document.GeoShapes;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.geo.Line;
import org.apache.lucene.geo.Point;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.geo.Rectangle;
import org.jspecify.annotations.Nullable;

/// The layers of a tile: `hits`, a feature for each geometry that was found; `aggs`, one for each
/// cell of the grid; `meta`, the tile's box with what a search says about itself. Layers without
/// features are left out.
final class TileLayers {
  private static final String LABEL = TileMetrics.PREFIX + "label_position";

  private final TileRequest request;
  private final TileWindow window;

  TileLayers(TileRequest request) {
    this.request = request;
    this.window = new TileWindow(request.tile(), request.extent(), request.buffer());
  }

  /// @param summary what the search answers, without its hits
  byte[] of(List<Hit> hits, JsonNode summary) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream tile = CodedOutputStream.newInstance(bytes);
    if (!hits.isEmpty()) {
      hits(hits).write(tile);
    }
    JsonNode cells = summary.at("/aggregations/" + TileMetrics.GRID + "/buckets");
    if (!cells.isEmpty()) {
      cells(cells).write(tile);
    }
    meta(summary).write(tile);
    tile.flush();
    return bytes.toByteArray();
  }

  private TileLayer layer(String name) {
    return new TileLayer(name, request.extent());
  }

  /// A hit with what it has in the field.
  private record Found(Hit hit, List<LatLonGeometry> geometry) {
    static Found of(Hit hit, String field) {
      List<LatLonGeometry> geometry = new ArrayList<>();
      for (Object value : hit.fields().getOrDefault(field, List.of())) {
        geometry.addAll(GeoShapes.read((JsonNode) value));
      }
      return new Found(hit, geometry);
    }

    /// The length of the diagonal of the box around it, as a map shows it, squared.
    double diagonal(MapTile tile) {
      double north = -90;
      double west = 180;
      double south = 90;
      double east = -180;
      for (LatLonGeometry part : geometry) {
        Rectangle box = box(part);
        north = Math.max(north, box.maxLat);
        west = Math.min(west, box.minLon);
        south = Math.min(south, box.minLat);
        east = Math.max(east, box.maxLon);
      }
      double width = tile.x(east) - tile.x(west);
      double height = tile.y(south) - tile.y(north);
      return width * width + height * height;
    }

    private static Rectangle box(LatLonGeometry part) {
      return switch (part) {
        case Point p -> new Rectangle(p.getLat(), p.getLat(), p.getLon(), p.getLon());
        case Line line -> new Rectangle(line.minLat, line.maxLat, line.minLon, line.maxLon);
        case Polygon shell -> new Rectangle(shell.minLat, shell.maxLat, shell.minLon, shell.maxLon);
        default -> throw new IllegalArgumentException("unknown geometry " + part);
      };
    }
  }

  /// Unless the client says otherwise the largest come first, so that small ones are drawn over
  /// them.
  private TileLayer hits(List<Hit> hits) throws IOException {
    List<Found> found = new ArrayList<>(hits.size());
    for (Hit hit : hits) {
      Found one = Found.of(hit, request.field());
      if (!one.geometry().isEmpty()) {
        found.add(one);
      }
    }
    if (!request.isSorted()) {
      found.sort(
          Comparator.comparingDouble((Found one) -> one.diagonal(request.tile())).reversed());
    }
    TileLayer layer = layer("hits");
    for (Found one : found) {
      for (TileFeature feature : window.features(one.geometry())) {
        hit(layer, one.hit(), feature, false);
      }
      if (request.hasLabels()) {
        Point label = LabelPosition.of(one.geometry());
        if (label != null) {
          hit(layer, one.hit(), window.point(label.getLat(), label.getLon()), true);
        }
      }
    }
    return layer;
  }

  private void hit(TileLayer layer, Hit hit, @Nullable TileFeature feature, boolean isLabel)
      throws IOException {
    if (feature == null) {
      return;
    }
    layer.tag("_id", hit.id());
    layer.tag("_index", hit.index());
    if (isLabel) {
      layer.tag(LABEL, true);
    }
    for (Map.Entry<String, List<Object>> field : hit.fields().entrySet()) {
      if (!field.getKey().equals(request.field()) && !field.getValue().isEmpty()) {
        layer.tag(field.getKey(), field.getValue().getFirst());
      }
    }
    layer.feature(feature);
  }

  private TileLayer cells(JsonNode cells) throws IOException {
    TileLayer layer = layer("aggs");
    for (JsonNode cell : cells) {
      MapTile tile = MapTile.of(cell.path("key").asText());
      Point middle = tile.middle();
      TileFeature feature =
          switch (request.gridShape()) {
            case GRID -> window.box(tile.north(), tile.west(), tile.south(), tile.east());
            case POINT -> point(middle);
            case CENTROID -> point(centroid(cell, tile));
          };
      cell(layer, cell, feature, false);
      if (request.hasLabels()) {
        cell(layer, cell, point(middle), true);
      }
    }
    return layer;
  }

  /// A point that is known to be in the tile.
  private TileFeature point(Point point) {
    return Objects.requireNonNull(window.point(point.getLat(), point.getLon()));
  }

  /// The middle of what is in the cell, which for a shape may lie outside of it: then the nearest
  /// place of the cell.
  private static Point centroid(JsonNode cell, MapTile tile) {
    JsonNode place = cell.path(TileMetrics.CENTROID).path("location");
    return new Point(
        Math.clamp(place.path("lat").asDouble(), tile.south(), tile.north()),
        Math.clamp(place.path("lon").asDouble(), tile.west(), tile.east()));
  }

  private static void cell(TileLayer layer, JsonNode cell, TileFeature feature, boolean isLabel)
      throws IOException {
    layer.tag("_key", cell.path("key"));
    layer.tag("_count", cell.path("doc_count"));
    if (isLabel) {
      layer.tag(LABEL, true);
    }
    for (Map.Entry<String, JsonNode> member : cell.properties()) {
      boolean isMetric = member.getValue().isObject();
      if (isMetric && !member.getKey().startsWith(TileMetrics.PREFIX)) {
        layer.tag(member.getKey(), member.getValue());
      }
    }
    layer.feature(feature);
  }

  private TileLayer meta(JsonNode summary) throws IOException {
    JsonNode bounds = summary.at("/aggregations/" + TileMetrics.BOUNDS + "/bounds");
    MapTile tile = request.tile();
    TileFeature box =
        request.isExact() && bounds.isObject()
            ? window.box(
                bounds.at("/top_left/lat").asDouble(),
                bounds.at("/top_left/lon").asDouble(),
                bounds.at("/bottom_right/lat").asDouble(),
                bounds.at("/bottom_right/lon").asDouble())
            : window.box(tile.north(), tile.west(), tile.south(), tile.east());
    TileLayer layer = layer("meta");
    ObjectNode shown = Json.object();
    shown.setAll((ObjectNode) summary);
    if (summary.get("aggregations") instanceof ObjectNode aggregations) {
      ObjectNode spreads = aggregations.deepCopy();
      spreads.remove(List.of(TileMetrics.GRID, TileMetrics.BOUNDS));
      shown.set("aggregations", spreads);
    }
    for (Map.Entry<String, JsonNode> member : shown.properties()) {
      layer.tag(member.getKey(), member.getValue());
    }
    layer.feature(box);
    return layer;
  }
}
