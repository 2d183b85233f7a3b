package dev.holdfast.api.search.tile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.search.tile.TileReading.Feature;
import dev.holdfast.api.search.tile.TileReading.Layer;
import dev.holdfast.node.RunningNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Tiles of maps.
final class VectorTileTest {
  private static final String MEDIA_TYPE = "application/vnd.mapbox-vector-tile";

  @RegisterExtension static final RunningNode node = RunningNode.alone();
  @AutoClose private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @BeforeAll
  static void fill() throws Exception {
    node.ok(
        "PUT",
        "/museums",
        """
        {"mappings":{"properties":{"location":{"type":"geo_point"},
          "name":{"type":"keyword"},"price":{"type":"long"}}}}\
        """);
    node.ok(
        "POST",
        "/museums/_bulk?refresh=true",
        """
        {"index":{"_id":"a"}}
        {"location":"52.374081,4.912350","name":"ships","price":1750}
        {"index":{"_id":"b"}}
        {"location":"52.369219,4.901618","name":"paintings","price":1500}
        {"index":{"_id":"c"}}
        {"location":["52.371667,4.914722","0,0"],"name":"boats","price":1650}
        {"index":{"_id":"d"}}
        {"location":"48.86,2.33","name":"far","price":1}
        """);
    node.ok(
        "PUT", "/shapes", "{\"mappings\":{\"properties\":{\"place\":{\"type\":\"geo_shape\"}}}}");
    node.ok(
        "POST",
        "/shapes/_bulk?refresh=true",
        """
        {"index":{"_id":"point"}}
        {"place":"POINT (90 0.0001)"}
        {"index":{"_id":"line"}}
        {"place":"LINESTRING (-90 10, 90 10)"}
        {"index":{"_id":"ring"}}
        {"place":{"type":"Polygon","coordinates":[[[10,10],[80,10],[80,60],[10,60],[10,10]],
          [[20,20],[70,20],[70,50],[20,50],[20,20]]]}}
        """
            .replace(",\n  ", ","));
  }

  private static Map<String, Layer> tile(String target, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + target))
            .header("Content-Type", "application/json")
            .header("Accept", MEDIA_TYPE)
            .method("POST", BodyPublishers.ofString(body))
            .build();
    HttpResponse<byte[]> answer = CLIENT.send(request, BodyHandlers.ofByteArray());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).contains(MEDIA_TYPE);
    return TileReading.read(answer.body());
  }

  private static List<Object> tags(Layer layer, String name) {
    return layer.features().stream().map(feature -> feature.tags().get(name)).toList();
  }

  @Test
  void showsHitsCellsAndWhatTheSearchSays() throws Exception {
    Map<String, Layer> tile =
        tile(
            "/museums/_mvt/location/13/4207/2692?extent=4096",
            """
            {"grid_precision":2,"extent":1,"fields":["name","price"],"sort":["price"],
             "query":{"range":{"price":{"gt":1500}}},
             "aggs":{"cheapest":{"min":{"field":"price"}},
                     "middle":{"percentiles":{"field":"price","percents":[50]}}}}\
            """);

    assertThat(tile.keySet()).containsExactly("hits", "aggs", "meta");
    Layer hits = tile.get("hits");
    assertThat(hits.extent()).isEqualTo(4096);
    assertThat(tags(hits, "_id")).containsExactly("c", "a");
    assertThat(hits.features().get(1))
        .isEqualTo(
            new Feature(
                1,
                Map.of("_id", "a", "_index", "museums", "name", "ships", "price", 1750L),
                List.of("move 3208 232")));
    Feature cell = tile.get("aggs").features().getFirst();
    assertThat(cell.kind()).isEqualTo(3);
    assertThat(cell.tags())
        .containsEntry("_key", "15/16831/10768")
        .containsEntry("_count", 2L)
        .containsEntry("cheapest.value", 1650.0)
        .containsEntry("middle.values.50.0", 1700.0);
    assertThat(cell.path())
        .containsExactly("move 3072 0", "line 4096 0", "line 4096 1024", "line 3072 1024", "close");
    assertThat(tile.get("meta").features().getFirst().tags())
        .containsEntry("hits.total.value", 2L)
        .containsEntry("hits.total.relation", "eq")
        .containsEntry("timed_out", false)
        .containsEntry("aggregations._count.sum", 2.0)
        .containsEntry("aggregations.cheapest.min", 1650.0)
        .containsEntry("aggregations.middle.50.0.avg", 1700.0)
        .doesNotContainKey("hits.max_score");
  }

  @Test
  void drawsCellsAsPointsAndTheBoxOfTheData() throws Exception {
    Map<String, Layer> tile =
        tile(
            "/museums/_mvt/location/13/4207/2692?grid_type=centroid&grid_precision=1&size=0"
                + "&exact_bounds=true&with_labels=true",
            "{\"query\":{\"term\":{\"name\":\"ships\"}}}");

    assertThat(tile).doesNotContainKey("hits");
    List<Feature> cells = tile.get("aggs").features();
    assertThat(cells).extracting(Feature::kind).containsExactly(1, 1);
    assertThat(cells.get(0).path()).containsExactly("move 3208 232");
    assertThat(cells.get(1).path()).containsExactly("move 3072 1024");
    assertThat(cells.get(1).tags()).containsEntry("_mvt_label_position", true);
    assertThat(tile.get("meta").features().getFirst().path()).startsWith("move 3208 232");
  }

  @Test
  void cutsShapesAtTheTileAndLeavesOutWhatIsNotInIt() throws Exception {
    Map<String, Layer> tile =
        tile("/shapes/_mvt/place/1/1/0?grid_precision=0&buffer=10&with_labels=true", "{}");

    Layer hits = tile.get("hits");
    assertThat(tags(hits, "_id")).containsExactly("line", "line", "ring", "ring", "point", "point");
    Feature line = hits.features().getFirst();
    assertThat(line.kind()).isEqualTo(2);
    assertThat(line.path()).containsExactly("move -10 3867", "line 2048 3867");
    Feature ring = hits.features().get(2);
    assertThat(ring.kind()).isEqualTo(3);
    assertThat(ring.path()).hasSize(10).filteredOn("close"::equals).hasSize(2);
    assertThat(doubleArea(ring.path().subList(0, 4))).isPositive();
    assertThat(doubleArea(ring.path().subList(5, 9))).isNegative();
    assertThat(hits.features().get(3).tags()).containsEntry("_mvt_label_position", true);
    assertThat(tile).doesNotContainKey("aggs");
    assertThat(
            tile("/shapes/_mvt/place/1/1/0?grid_precision=2&size=0", "{}").get("aggs").features())
        .hasSize(5);
  }

  private static long doubleArea(List<String> path) {
    long area = 0;
    for (int i = 0; i < path.size(); i++) {
      String[] one = path.get(i).split(" ");
      String[] next = path.get((i + 1) % path.size()).split(" ");
      area +=
          Long.parseLong(one[1]) * Long.parseLong(next[2])
              - Long.parseLong(next[1]) * Long.parseLong(one[2]);
    }
    return area;
  }

  @Test
  void refusesWhatCannotBeDrawn() throws Exception {
    String at = "/error/reason";
    String zoom = "/museums/_mvt/location/1/2/0";
    String metrics = "{\"aggs\":{\"_mvt_x\":{\"min\":{\"field\":\"price\"}}}}";
    String buckets = "{\"aggs\":{\"x\":{\"terms\":{\"field\":\"name\"}}}}";
    String tile = "/museums/_mvt/location/0/0/0";

    assertThat(node.refused(400, "GET", zoom, "").at(at).asText())
        .isEqualTo("Zoom/X/Y combination is not valid: 1/2/0");
    assertThat(node.refused(400, "GET", tile + "?grid_agg=geohex", "").at(at).asText())
        .contains("geohex");
    assertThat(node.refused(400, "POST", tile, metrics).at(at).asText()).contains("_mvt_x");
    assertThat(node.refused(400, "POST", tile, buckets).at(at).asText()).contains("[terms]");
    assertThat(node.refused(400, "GET", tile + "?size=-1", "").at(at).asText()).contains("[size]");
    node.refused(400, "GET", "/museums/_mvt/name/0/0/0", "");
    node.refused(404, "GET", "/nothing/_mvt/location/0/0/0", "");
  }
}
