package dev.holdfast.api.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Grids, bounds and centroids of shapes.
final class ShapeAggregationsTest {
  private static final int ZOOM = 4;

  /// Cells begin and end where the index's encoding cannot tell places apart.
  private static final double EDGE = 1e-5;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void createIndices() throws Exception {
    String mapping = "{\"mappings\":{\"properties\":{\"place\":{\"type\":\"geo_shape\"}}}}";
    node.ok("PUT", "/few", mapping);
    node.ok("PUT", "/many", mapping);
  }

  private static JsonNode aggregate(String index, ObjectNode aggregations) throws Exception {
    ObjectNode body = Json.object().put("size", 0);
    body.set("aggs", aggregations);
    return node.ok("POST", "/" + index + "/_search", body.toString()).get("aggregations");
  }

  private static ObjectNode over(String kind) {
    ObjectNode aggregations = Json.object();
    aggregations.putObject("it").putObject(kind).put("field", "place");
    return aggregations;
  }

  /// A cell has as many documents as a query for what its box intersects finds.
  @Test
  void gridsCountTheShapesThatACellIntersects() throws Exception {
    Random random = new Random(7);
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      double x = random.nextDouble() * 300 - 170;
      double y = random.nextDouble() * 150 - 80;
      double width = random.nextDouble() * 40;
      double height = random.nextDouble() * 20;
      String shape =
          switch (i % 3) {
            case 0 -> String.format(Locale.ROOT, "POINT (%f %f)", x, y);
            case 1 ->
                String.format(
                    Locale.ROOT, "LINESTRING (%f %f, %f %f)", x, y + height, x + width, y);
            default ->
                String.format(
                    Locale.ROOT,
                    "POLYGON ((%f %f, %f %f, %f %f, %f %f))",
                    x,
                    y,
                    x + width,
                    y + height / 3,
                    x + width / 2,
                    y + height,
                    x,
                    y);
          };
      bulk.append("{\"index\":{}}\n{\"place\":\"").append(shape).append("\"}\n");
    }
    node.ok("POST", "/many/_bulk?refresh=true", bulk.toString());
    ObjectNode aggregations = over("geotile_grid");
    ((ObjectNode) aggregations.at("/it/geotile_grid")).put("precision", ZOOM);
    ObjectNode boxes = aggregations.putObject("boxes").putObject("filters").putObject("filters");
    int tiles = 1 << ZOOM;
    for (int x = 0; x < tiles; x++) {
      for (int y = 0; y < tiles; y++) {
        ObjectNode box =
            boxes
                .putObject(ZOOM + "/" + x + "/" + y)
                .putObject("geo_bounding_box")
                .putObject("place");
        boolean isFirst = y == 0;
        boolean isLast = y == tiles - 1;
        box.put("top", isFirst ? 90 : latitude(y) - EDGE);
        box.put("bottom", isLast ? -90 : latitude(y + 1) + EDGE);
        box.put("left", x * 360.0 / tiles - 180 + EDGE);
        box.put("right", (x + 1) * 360.0 / tiles - 180 - EDGE);
      }
    }

    JsonNode answer = aggregate("many", aggregations);

    Map<String, Integer> expected = new TreeMap<>();
    answer.at("/boxes/buckets").properties().stream()
        .filter(box -> box.getValue().path("doc_count").asInt() > 0)
        .forEach(box -> expected.put(box.getKey(), box.getValue().path("doc_count").asInt()));
    Map<String, Integer> counted = new TreeMap<>();
    answer
        .at("/it/buckets")
        .forEach(cell -> counted.put(cell.path("key").asText(), cell.path("doc_count").asInt()));
    assertThat(counted).isEqualTo(expected).hasSizeGreaterThan(60);
  }

  private static double latitude(int row) {
    return Math.toDegrees(Math.atan(Math.sinh(Math.PI * (1 - 2.0 * row / (1 << ZOOM)))));
  }

  @Test
  void theMiddleOfShapesIsThatOfTheirAreas() throws Exception {
    node.ok(
        "POST",
        "/few/_bulk?refresh=true",
        """
        {"index":{}}
        {"place":"POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))"}
        {"index":{}}
        {"place":"POLYGON ((-30 0, -20 0, -20 10, -30 10, -30 0))"}
        {"index":{}}
        {"place":"LINESTRING (-40 -50, -40 -60)"}
        """);

    JsonNode middle = aggregate("few", over("geo_centroid")).get("it");
    JsonNode bounds = aggregate("few", over("geo_bounds")).at("/it/bounds");
    JsonNode cells = aggregate("few", over("geohash_grid")).at("/it/buckets");

    assertThat(middle.at("/location/lon").asDouble()).isCloseTo(-5.0 / 3, within(1e-6));
    assertThat(middle.at("/location/lat").asDouble()).isCloseTo(5, within(1e-6));
    assertThat(middle.get("count").asInt()).isEqualTo(3);
    assertThat(bounds.at("/top_left/lat").asDouble()).isCloseTo(10, within(1e-6));
    assertThat(bounds.at("/top_left/lon").asDouble()).isCloseTo(-40, within(1e-6));
    assertThat(bounds.at("/bottom_right/lat").asDouble()).isCloseTo(-60, within(1e-6));
    assertThat(bounds.at("/bottom_right/lon").asDouble()).isCloseTo(20, within(1e-6));
    assertThat(cells.size()).isGreaterThan(5);
  }

  @Test
  void aGridMayBeTooFineForAShape() throws Exception {
    node.ok("PUT", "/wide", "{\"mappings\":{\"properties\":{\"place\":{\"type\":\"geo_shape\"}}}}");
    node.ok("PUT", "/wide/_doc/1?refresh=true", "{\"place\":\"BBOX (-170, 170, 80, -80)\"}");
    ObjectNode fine = over("geotile_grid");
    ((ObjectNode) fine.at("/it/geotile_grid")).put("precision", 20);

    JsonNode refused =
        node.refused(
            400, "POST", "/wide/_search", Json.object().<ObjectNode>set("aggs", fine).toString());

    assertThat(refused.at("/error/root_cause/0/reason").asText()).contains("more than [262144]");
  }
}
