package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `index.mode: time_series`; statuses and reasons are those of Elasticsearch 9.5.
final class TimeSeriesModeTest {
  private static final String FIELDS =
      """
      "d":{"type":"keyword","time_series_dimension":true},
      "n":{"type":"long","time_series_dimension":true},
      "v":{"type":"double","time_series_metric":"gauge"}\
      """;

  private static final String INDEX =
      """
      {"settings":{"index":{"mode":"time_series","routing_path":["d"],"number_of_shards":2,
        "time_series":{"start_time":"2024-01-01T00:00:00Z","end_time":"2024-01-02T00:00:00Z"}%s}},
       "mappings":{"properties":{FIELDS}}}\
      """
          .replace("FIELDS", FIELDS);

  private static String document(int hour, String dimension, double value) {
    return "{\"@timestamp\":\"2024-01-01T%02d:00:00Z\",\"d\":\"%s\",\"v\":%s}"
        .formatted(hour, dimension, value);
  }

  private static void refused(
      NodeFixture node, String method, String path, String body, int status, String reason)
      throws Exception {
    HttpResponse<String> answer = node.call(method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(Json.parse(answer.body()).at("/error/reason").asText()).contains(reason);
  }

  @Test
  void aMeasurementHasOneIdWhateverHappens(@TempDir Path folder) throws Exception {
    String id;
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/t", INDEX.formatted(""));
      id = node.ok("POST", "/t/_doc", document(1, "a", 1)).path("_id").asText();
      node.ok("POST", "/t/_doc", document(2, "a", 2));
      node.ok("POST", "/t/_doc", document(1, "b", 3));

      // POST without an id is a creation, and in a bulk the client says which it is.
      refused(node, "POST", "/t/_doc", document(1, "a", 9), 409, "document already exists");
      JsonNode items =
          node.ok(
                  "POST",
                  "/t/_bulk",
                  "{\"create\":{}}\n"
                      + document(1, "a", 9)
                      + "\n{\"index\":{}}\n"
                      + document(1, "a", 4)
                      + "\n{\"index\":{\"_id\":\""
                      + id
                      + "\"}}\n"
                      + document(1, "a", 5)
                      + "\n{\"index\":{\"_id\":\"x\"}}\n"
                      + document(1, "a", 9)
                      + "\n{\"update\":{\"_id\":\""
                      + id
                      + "\"}}\n{\"doc\":{\"v\":9}}\n")
              .path("items");
      assertThat(items.findValuesAsText("status"))
          .isEqualTo(List.of("409", "200", "200", "400", "400"));
      assertThat(items.at("/1/index/_id").asText()).isEqualTo(id);
      assertThat(items.at("/1/index/_version").asInt()).isEqualTo(2);
    }
    // Another process finds it by the same id.
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("POST", "/t/_refresh", "");
      JsonNode found = node.ok("GET", "/t/_doc/" + id, "");
      assertThat(found.path("_source").toString())
          .isEqualTo("{\"@timestamp\":\"2024-01-01T01:00:00.000Z\",\"d\":\"a\",\"v\":5.0}");
      assertThat(found.path("_version").asInt()).isEqualTo(3);
      JsonNode series =
          node.ok(
              "POST",
              "/t/_search",
              "{\"size\":0,\"aggs\":{\"s\":{\"terms\":{\"field\":\"_tsid\"},\"aggs\":{\"m\":{\"sum\":{\"field\":\"v\"}}}}}}");
      assertThat(series.at("/aggregations/s/buckets").findValuesAsText("doc_count"))
          .isEqualTo(List.of("2", "1"));
      assertThat(series.at("/aggregations/s/buckets/0/m/value").asDouble()).isEqualTo(7);
      assertThat(node.ok("DELETE", "/t/_doc/" + id, "").path("result").asText())
          .isEqualTo("deleted");
      assertThat(node.call("GET", "/t/_doc/" + id, "").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void documentsLieBySeriesAndNewestFirst(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/t", INDEX.formatted(",\"refresh_interval\":\"-1\""));
      StringBuilder lines = new StringBuilder();
      for (int hour : List.of(3, 1, 2)) {
        for (String dimension : List.of("a", "b", "c")) {
          lines.append("{\"create\":{}}\n").append(document(hour, dimension, hour)).append('\n');
        }
      }
      node.ok("POST", "/t/_bulk?refresh=true", lines.toString());
      node.ok("POST", "/t/_forcemerge?max_num_segments=1", "");
      for (int shard = 0; shard < 2; shard++) {
        JsonNode hits =
            node.ok(
                    "POST",
                    "/t/_search?preference=_shards:" + shard,
                    "{\"sort\":[\"_doc\"],\"docvalue_fields\":[\"_tsid\"]}")
                .at("/hits/hits");
        List<String> order = new ArrayList<>();
        hits.forEach(hit -> {
          long left =
              Instant.parse("2024-01-02T00:00:00Z").toEpochMilli()
                  - Instant.parse(hit.at("/_source/@timestamp").asText()).toEpochMilli();
          order.add(
              java.util.HexFormat.of()
                      .formatHex(
                          java.util.Base64.getUrlDecoder()
                              .decode(hit.at("/fields/_tsid/0").asText()))
                  + "/"
                  + String.format(java.util.Locale.ROOT, "%010d", left));
        });
        assertThat(order).isSorted();
      }
      JsonNode newest =
          node.ok("POST", "/t/_search", "{\"size\":1,\"sort\":[{\"@timestamp\":\"desc\"}]}");
      assertThat(newest.at("/hits/hits/0/_source/v").asDouble()).isEqualTo(3);
      String range =
          "{\"query\":{\"range\":{\"@timestamp\":{\"gte\":\"2024-01-01T02:00\",\"lt\":\"2024-01-01T03:00\"}}}}";
      assertThat(node.ok("POST", "/t/_count", range).path("count").asInt()).isEqualTo(3);
    }
  }

  @Test
  void settingsMappingsAndRequestsThatDoNotFitAreRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      for (List<String> bad :
          List.of(
              List.of(
                  INDEX.formatted(",\"sort.field\":\"d\""),
                  "[index.mode=time_series] is incompatible with [index.sort.field]"),
              List.of(
                  INDEX.formatted(",\"routing_partition_size\":2"),
                  "[index.mode=time_series] is incompatible with [index.routing_partition_size]"),
              List.of(
                  INDEX.formatted("").replace("[\"d\"]", "[]"),
                  "[index.mode=time_series] requires a non-empty [index.routing_path]"),
              List.of(INDEX.formatted("").replace("[\"d\"]", "\"v\""), "[v] was not a dimension."),
              List.of(
                  INDEX.formatted("").replace("01-02", "01-00"),
                  "failed to parse date field [2024-01-00T00:00:00Z]"),
              List.of(
                  INDEX.formatted("").replace("2024-01-02", "2023-01-02"),
                  "index.time_series.end_time must be larger than index.time_series.start_time"),
              List.of(
                  INDEX
                      .formatted("")
                      .replace("\"mappings\":{", "\"mappings\":{\"_routing\":{\"required\":true},"),
                  "routing is forbidden on CRUD operations"),
              List.of(
                  INDEX
                      .formatted("")
                      .replace("\"mappings\":{", "\"mappings\":{\"_source\":{\"enabled\":false},"),
                  "_source can not be disabled in index using [time_series] index mode"),
              List.of(
                  INDEX.formatted(",\"mapping.source.mode\":\"disabled\""),
                  "_source can not be disabled in index using [time_series] index mode"),
              List.of(
                  INDEX
                      .formatted("")
                      .replace(
                          "\"mappings\":{",
                          "\"aliases\":{\"x\":{\"routing\":\"1\"}},\"mappings\":{"),
                  "routing is forbidden on CRUD operations"),
              List.of(
                  "{\"settings\":{\"index.routing_path\":\"d\"}}",
                  "[index.routing_path] requires [index.mode=time_series]"))) {
        refused(node, "PUT", "/bad", bad.getFirst(), 400, bad.getLast());
      }
      node.ok("PUT", "/t", INDEX.formatted(""));
      String one = document(1, "a", 1);
      String id = node.ok("POST", "/t/_doc?refresh=true", one).path("_id").asText();
      refused(
          node,
          "PUT",
          "/t/_doc/x",
          one,
          400,
          "_id must be unset or set to ["
              + id
              + "] but was [x] because [t] is in time_series mode");
      refused(
          node,
          "POST",
          "/t/_doc?routing=x",
          one,
          400,
          "specifying routing is not supported because the destination index [t] is in time_series mode");
      refused(
          node,
          "GET",
          "/t/_search?routing=x",
          "",
          400,
          "searching with a specified routing is not supported because the destination index [t] is in time_series mode");
      refused(
          node, "GET", "/t/_doc/x", "", 404, "invalid id [x] for index [t] in time_series mode");
      refused(
          node, "DELETE", "/t/_doc/x", "", 404, "invalid id [x] for index [t] in time_series mode");
      refused(
          node,
          "POST",
          "/t/_update/" + id,
          "{\"doc\":{\"v\":2}}",
          400,
          "update is not supported because the destination index [t] is in time_series mode");
      refused(
          node,
          "PUT",
          "/t/_alias/al",
          "{\"routing\":\"x\"}",
          400,
          "routing is forbidden on CRUD operations");
      refused(
          node,
          "PUT",
          "/t/_settings",
          "{\"index.time_series.end_time\":\"2024-01-01T12:00:00Z\"}",
          400,
          "index.time_series.end_time must be larger than current value [1704153600000] but was [2024-01-01T12:00:00Z]");
      node.ok("PUT", "/t/_settings", "{\"index.time_series.end_time\":\"2024-01-03T00:00:00Z\"}");
      node.ok("POST", "/t/_doc", one.replace("01-01T", "01-02T"));
      node.ok("PUT", "/t/_settings", "{\"index.blocks.write\":true}");
      refused(
          node,
          "PUT",
          "/t/_split/u",
          "{\"settings\":{\"index.number_of_shards\":4}}",
          400,
          "index-split is not supported because the destination index [t] is in time_series mode");
      node.ok("PUT", "/t/_shrink/u", "{\"settings\":{\"index.number_of_shards\":1}}");
      assertThat(node.ok("GET", "/u/_doc/" + id, "").path("found").asBoolean()).isTrue();
    }
  }

  @Test
  void dimensionsAndMetricsAreShownByFieldCapsOfThisModeOnly(@TempDir Path folder)
      throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/t", INDEX.formatted(""));
      node.ok("PUT", "/s", "{\"mappings\":{\"properties\":{" + FIELDS + "}}}");
      JsonNode alone = node.ok("GET", "/t/_field_caps?fields=*", "").path("fields");
      assertThat(alone.at("/d/keyword/time_series_dimension").asBoolean()).isTrue();
      assertThat(alone.at("/v/double/time_series_metric").asText()).isEqualTo("gauge");
      assertThat(alone.at("/_tsid/_tsid/searchable").asBoolean(true)).isFalse();
      JsonNode both = node.ok("GET", "/s,t/_field_caps?fields=*", "").path("fields");
      assertThat(both.at("/d/keyword/non_dimension_indices").toString()).isEqualTo("[\"s\"]");
      assertThat(both.at("/d/keyword").has("time_series_dimension")).isFalse();
      assertThat(both.at("/v/double/metric_conflicts_indices").toString())
          .isEqualTo("[\"s\",\"t\"]");
    }
  }

  @Test
  void writesToAStreamGoToTheIndexThatHoldsTheirTime(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String template =
          "{\"index_patterns\":[\"m-*\"],\"data_stream\":{},\"template\":{\"settings\":{\"index.mode\":\"time_series\"},\"mappings\":{\"properties\":{%s}}}}";
      refused(
          node,
          "PUT",
          "/_index_template/m",
          template.formatted("\"v\":{\"type\":\"long\"}"),
          400,
          "is invalid");
      node.ok("PUT", "/_index_template/m", template.formatted(FIELDS));
      node.ok("PUT", "/_data_stream/m-a", "");
      node.ok("POST", "/m-a/_rollover", "");

      JsonNode indices = node.ok("GET", "/m-a/_settings?flat_settings", "");
      List<JsonNode> settings = new ArrayList<>();
      indices.forEach(index -> settings.add(index.path("settings")));
      assertThat(settings.getFirst().path("index.routing_path").toString())
          .isEqualTo("[\"d\",\"n\"]");
      assertThat(settings.getLast().path("index.time_series.start_time"))
          .isEqualTo(settings.getFirst().path("index.time_series.end_time"));

      Instant now =
          Instant.parse(settings.getFirst().path("index.time_series.start_time").asText())
              .plusSeconds(7200);
      String document = "{\"@timestamp\":\"%s\",\"d\":\"a\",\"v\":1}";
      String held =
          node.ok("POST", "/m-a/_doc?refresh=true", document.formatted(now))
              .path("_index")
              .asText();
      assertThat(held).endsWith("-000001");
      refused(node, "POST", "/m-a/_doc", document.formatted(now), 409, "document already exists");
      String next = settings.getLast().path("index.time_series.start_time").asText();
      assertThat(node.ok("POST", "/m-a/_doc", document.formatted(next)).path("_index").asText())
          .endsWith("-000002");
      refused(
          node,
          "POST",
          "/m-a/_doc",
          document.formatted(now.plusSeconds(86_400)),
          400,
          "is outside of ranges of currently writable indices [[");
      // Documents of other indices lose their ids, and go where their times lie.
      node.ok("PUT", "/other/_doc/7", document.formatted(now.plusSeconds(1)));
      node.ok("PUT", "/other/_doc/8?refresh=true", document.formatted(now.plusSeconds(2)));
      JsonNode copied =
          node.ok(
              "POST",
              "/_reindex?refresh=true",
              "{\"source\":{\"index\":\"other\"},\"dest\":{\"index\":\"m-a\",\"op_type\":\"create\"}}");
      assertThat(copied.path("created").asInt()).isEqualTo(2);
      assertThat(node.ok("POST", "/" + held + "/_count", "").path("count").asInt()).isEqualTo(3);
      assertThat(
              node.ok("POST", "/m-a/_update_by_query?refresh=true", "{}")
                  .path("version_conflicts")
                  .asInt(-1))
          .isZero();
      assertThat(
              node.ok(
                      "POST",
                      "/m-a/_delete_by_query?refresh=true",
                      "{\"query\":{\"match_all\":{}}}")
                  .path("deleted")
                  .asInt())
          .isEqualTo(4);
      JsonNode shown = node.ok("GET", "/_data_stream/m-a", "").at("/data_streams/0");
      assertThat(shown.at("/time_series/temporal_ranges").size()).isEqualTo(1);
      // The node lets the end move on about a second after its start: before, between or after.
      JsonNode later =
          node.ok(
              "GET",
              "/" + shown.at("/indices/1/index_name").asText() + "/_settings?flat_settings",
              "");
      assertThat(shown.at("/time_series/temporal_ranges/0/end"))
          .isIn(
              settings.getLast().path("index.time_series.end_time"),
              later.elements().next().at("/settings/index.time_series.end_time"));
    }
  }
}
