package dev.holdfast.api.search.tile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a tile shall show; what the URL says wins over the body.
///
/// @param extent pixels of a side
/// @param buffer pixels beyond a side up to which geometries are drawn
/// @param gridPrecision how many zoom levels finer than the tile the grid is; 0 for no grid
/// @param isExact whether the tile's box is that of the data
/// @param metrics in each cell of the grid
/// @param body the members that a search has, too: `query`, `fields`, `sort`, ...
record TileRequest(
    String field,
    MapTile tile,
    int size,
    int extent,
    int buffer,
    int gridPrecision,
    GridShape gridShape,
    boolean isExact,
    boolean hasLabels,
    TileMetrics metrics,
    ObjectNode body) {
  static final List<String> PARAMETERS =
      List.of(
          "exact_bounds",
          "extent",
          "buffer",
          "grid_agg",
          "grid_precision",
          "grid_type",
          "size",
          "track_total_hits",
          "with_labels");

  private static final int SIZE_DEFAULT = 10_000;
  private static final int EXTENT_DEFAULT = 4096;
  private static final int BUFFER_DEFAULT = 5;
  private static final int GRID_PRECISION_MAX = 8;

  /// How a cell of the grid is drawn.
  enum GridShape {
    GRID,
    POINT,
    CENTROID;

    static GridShape of(String name) {
      return switch (name.toLowerCase(Locale.ROOT)) {
        case "grid" -> GRID;
        case "point" -> POINT;
        case "centroid" -> CENTROID;
        default -> throw Refusal.badArgument("Invalid grid type [" + name + "]");
      };
    }
  }

  /// @throws Refusal for what the request must not say
  static TileRequest of(ApiRequest request) {
    MapTile tile =
        MapTile.of(request.required("zoom"), request.required("x"), request.required("y"));
    JsonObject body = JsonObject.of("vector-tile", request.body().object());
    requireGeotile(request.text("grid_agg", body.string("grid_agg", "geotile")));
    int gridPrecision =
        request.integer("grid_precision", body.integer("grid_precision", GRID_PRECISION_MAX));
    requireNotNegative("gridPrecision", gridPrecision);
    if (gridPrecision > GRID_PRECISION_MAX) {
      throw Refusal.badArgument(
          "[gridPrecision] parameter cannot be bigger than "
              + GRID_PRECISION_MAX
              + ", found ["
              + gridPrecision
              + "]");
    }
    GridShape shape = GridShape.of(request.text("grid_type", body.string("grid_type", "grid")));
    TileRequest read =
        new TileRequest(
            request.required("field"),
            tile,
            notNegative(request, body, "size", SIZE_DEFAULT),
            notNegative(request, body, "extent", EXTENT_DEFAULT),
            notNegative(request, body, "buffer", BUFFER_DEFAULT),
            gridPrecision,
            shape,
            request.flag("exact_bounds", body.bool("exact_bounds", false)),
            request.flag("with_labels", body.bool("with_labels", false)),
            TileMetrics.of(aggregations(body)),
            searchMembers(request, body));
    body.done();
    return read;
  }

  private static int notNegative(ApiRequest request, JsonObject body, String name, int whenAbsent) {
    int value = request.integer(name, body.integer(name, whenAbsent));
    requireNotNegative(name, value);
    return value;
  }

  private static void requireNotNegative(String name, int value) {
    if (value < 0) {
      throw Refusal.badArgument(
          "[" + name + "] parameter cannot be negative, found [" + value + "]");
    }
  }

  private static void requireGeotile(String name) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case "geotile" -> {}
      case "geohex" ->
          throw Refusal.badArgument("[grid_agg] [geohex] is not supported; use [geotile]");
      default -> throw Refusal.badArgument("Invalid agg type [" + name + "]");
    }
  }

  private static @Nullable JsonNode aggregations(JsonObject body) {
    JsonNode aggs = body.take("aggs");
    JsonNode aggregations = body.take("aggregations");
    return aggs == null ? aggregations : aggs;
  }

  private static ObjectNode searchMembers(ApiRequest request, JsonObject body) {
    ObjectNode members = Json.object();
    for (String name : List.of("query", "fields", "sort", "runtime_mappings", "track_total_hits")) {
      JsonNode value = body.take(name);
      if (value != null && !value.isNull()) {
        members.set(name, value);
      }
    }
    String total = request.text("track_total_hits");
    if (total != null) {
      switch (total) {
        case "", "true" -> members.put("track_total_hits", true);
        case "false" -> members.put("track_total_hits", false);
        default -> members.put("track_total_hits", request.integer("track_total_hits", 0));
      }
    }
    return members;
  }

  /// Whether hits are in the order that the client asked for.
  boolean isSorted() {
    return body.has("sort");
  }

  /// The search that finds what the tile shows.
  ObjectNode search() {
    ObjectNode search = body.deepCopy();
    search.put("size", size).put("_source", false);
    ArrayNode filters = search.putObject("query").putObject("bool").putArray("filter");
    if (body.has("query")) {
      filters.add(body.get("query"));
    }
    filters.addObject().putObject("geo_bounding_box").set(field, tile.box());
    if (!isSorted()) {
      search.put("sort", "_doc");
    }
    fields(search).addObject().put("field", field);
    aggregations(search.putObject("aggs"));
    return search;
  }

  private static ArrayNode fields(ObjectNode search) {
    JsonNode given = search.get("fields");
    if (given == null) {
      return search.putArray("fields");
    }
    if (given instanceof ArrayNode array) {
      return array;
    }
    throw new Refusal(
        ErrorType.X_CONTENT_PARSE,
        "[vector-tile] fields doesn't support values of type: " + given.getNodeType());
  }

  private void aggregations(ObjectNode aggregations) {
    if (gridPrecision > 0) {
      metrics.add(aggregations, field, tile, gridPrecision, gridShape == GridShape.CENTROID);
    }
    if (isExact) {
      aggregations
          .putObject(TileMetrics.BOUNDS)
          .putObject("geo_bounds")
          .put("field", field)
          .put("wrap_longitude", false);
    }
  }
}
