package dev.holdfast.api.search.tile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The grid of a tile: a `geotile_grid` with the client's metrics in its cells, and beside it the
/// spread of each figure over the cells, which maps need to colour them.
///
/// @param metrics by name, as a search takes them
record TileMetrics(ObjectNode metrics) {
  static final String GRID = "grid";
  static final String BOUNDS = "bounds";

  /// Begins the names of what the client did not ask for.
  static final String PREFIX = "_mvt_";

  static final String CENTROID = PREFIX + "centroid";

  private static final String COUNT = "_count";
  private static final int CELLS_MAX = 65_536;
  private static final int ZOOM_MAX = 29;

  private static final Set<String> SINGLE =
      Set.of(
          "avg",
          "cardinality",
          "max",
          "median_absolute_deviation",
          "min",
          "sum",
          "value_count",
          "weighted_avg");

  private static final Map<String, List<String>> SEVERAL =
      Map.of(
          "boxplot",
          List.of("min", "max", "q1", "q2", "q3", "lower", "upper"),
          "stats",
          List.of("count", "min", "max", "avg", "sum"),
          "extended_stats",
          List.of(
              "count",
              "min",
              "max",
              "avg",
              "sum",
              "sum_of_squares",
              "variance",
              "variance_population",
              "variance_sampling",
              "std_deviation",
              "std_deviation_population",
              "std_deviation_sampling"));

  private static final double[] PERCENTS_DEFAULT = {1, 5, 25, 50, 75, 95, 99};

  /// @throws Refusal for anything but metrics
  static TileMetrics of(@Nullable JsonNode aggregations) {
    ObjectNode metrics = Json.object();
    if (aggregations == null || aggregations.isNull()) {
      return new TileMetrics(metrics);
    }
    ObjectNode given = JsonObject.of("aggs", aggregations).node();
    for (Map.Entry<String, JsonNode> each : given.properties()) {
      requireMetric(each.getKey(), each.getValue());
      metrics.set(each.getKey(), each.getValue());
    }
    return new TileMetrics(metrics);
  }

  private static void requireMetric(String name, JsonNode definition) {
    if (name.startsWith(PREFIX)) {
      throw Refusal.badArgument(
          "Invalid aggregation name ["
              + name
              + "]. Aggregation names cannot start with prefix '"
              + PREFIX
              + "'");
    }
    String kind = kind(definition);
    if (!SINGLE.contains(kind) && !SEVERAL.containsKey(kind) && !kind.startsWith("percentile")) {
      throw Refusal.badArgument(
          "Unsupported aggregation of type ["
              + kind
              + "]. Only metric aggregations are supported.");
    }
  }

  /// The kind of an aggregation; a search says what is wrong where there is none.
  private static String kind(JsonNode definition) {
    for (Map.Entry<String, JsonNode> member : definition.properties()) {
      if (!member.getKey().equals("meta")) {
        return member.getKey();
      }
    }
    return "";
  }

  /// Adds the grid and the spread of its figures to a search's aggregations.
  void add(ObjectNode to, String field, MapTile tile, int gridPrecision, boolean hasCentroids) {
    ObjectNode grid = to.putObject(GRID);
    ObjectNode cells = grid.putObject("geotile_grid");
    cells.put("field", field);
    cells.put("precision", Math.min(ZOOM_MAX, tile.zoom() + gridPrecision));
    cells.put("size", CELLS_MAX);
    cells.set("bounds", tile.box());
    spread(to, COUNT, GRID + ">" + COUNT);
    ObjectNode children = grid.putObject("aggs");
    children.setAll(metrics);
    if (hasCentroids) {
      children.putObject(CENTROID).putObject("geo_centroid").put("field", field);
    }
    for (Map.Entry<String, JsonNode> each : metrics.properties()) {
      spreads(to, each.getKey(), each.getValue());
    }
  }

  private static void spreads(ObjectNode to, String name, JsonNode definition) {
    String kind = kind(definition);
    String path = GRID + ">" + name;
    if (SINGLE.contains(kind)) {
      requireFree(to, name);
      spread(to, name, path + ".value");
      return;
    }
    for (String figure : figures(kind, definition.path(kind))) {
      requireFree(to, name + "." + figure);
      boolean hasDot = figure.contains(".");
      spread(to, name + "." + figure, hasDot ? path + "[" + figure + "]" : path + "." + figure);
    }
  }

  private static List<String> figures(String kind, JsonNode body) {
    List<String> several = SEVERAL.get(kind);
    if (several != null) {
      return several;
    }
    JsonNode given = body.path(kind.equals("percentiles") ? "percents" : "values");
    List<String> figures = new ArrayList<>();
    given.forEach(one -> figures.add(String.valueOf(one.asDouble())));
    if (figures.isEmpty() && kind.equals("percentiles")) {
      for (double percent : PERCENTS_DEFAULT) {
        figures.add(String.valueOf(percent));
      }
    }
    return figures;
  }

  private static void requireFree(ObjectNode aggregations, String name) {
    if (aggregations.has(name)) {
      throw Refusal.badArgument(
          "Two sibling aggregations cannot have the same name: [" + name + "]");
    }
  }

  private static void spread(ObjectNode to, String name, String path) {
    to.putObject(name).putObject("stats_bucket").put("buckets_path", path);
  }
}
