package dev.holdfast.api.indices.downsample;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `POST /{index}/_downsample/{target_index}`.
final class DownsampleTest {
  private static final String INDEX =
      """
      {"settings":{"index":{"mode":"time_series","routing_path":["d"],"number_of_shards":2,"mapping.source.mode":"%s",
        "time_series":{"start_time":"2024-01-01T00:20:00Z","end_time":"2024-01-02T00:00:00Z"}}},
       "mappings":{"properties":{"d":{"type":"keyword","time_series_dimension":true},
         "g":{"type":"long","time_series_metric":"gauge"},
         "net":{"properties":{"rx":{"type":"double","time_series_metric":"gauge"}}},
         "c":{"type":"long","time_series_metric":"counter"},"l":{"type":"keyword"}}}}\
      """;

  private static final String EACH_HOUR =
      """
      {"size":0,"aggs":{"all":{"composite":{"size":1000,"sources":[{"s":{"terms":{"field":"_tsid"}}},
        {"t":{"date_histogram":{"field":"@timestamp","fixed_interval":"%s"}}}]},"aggs":{
        "min":{"min":{"field":"g"}},"max":{"max":{"field":"net.rx"}},"sum":{"sum":{"field":"g"}},
        "avg":{"avg":{"field":"net.rx"}},"count":{"value_count":{"field":"g"}}}}}}\
      """;

  private static SortedMap<String, String> metrics(NodeFixture node, String index, String every)
      throws Exception {
    SortedMap<String, String> all = new TreeMap<>();
    for (JsonNode bucket :
        node.ok("POST", "/" + index + "/_search", EACH_HOUR.formatted(every))
            .at("/aggregations/all/buckets")) {
      StringBuilder values = new StringBuilder(bucket.path("doc_count").asText()).append(' ');
      for (String name : new String[] {"min", "max", "sum", "avg", "count"}) {
        double value = bucket.at("/" + name + "/value").asDouble(Double.NaN);
        values.append(name).append('=').append("%.9f".formatted(value)).append(' ');
      }
      all.put(bucket.path("key").toString(), values.toString());
    }
    return all;
  }

  private static void fill(NodeFixture node, Random random) throws Exception {
    StringBuilder lines = new StringBuilder();
    Instant start = Instant.parse("2024-01-01T00:20:00Z");
    for (int i = 0; i < 3000; i++) {
      String time = start.plusSeconds(random.nextInt(23 * 3600)).toString();
      lines
          .append("{\"index\":{}}\n{\"@timestamp\":\"")
          .append(time)
          .append("\",\"d\":\"h")
          .append(random.nextInt(5))
          .append("\",\"c\":")
          .append(i)
          .append(random.nextInt(4) == 0 ? "" : ",\"g\":" + (random.nextInt(200) - 100))
          .append(random.nextInt(3) > 0 ? "" : ",\"l\":\"l" + i + "\"")
          .append(random.nextBoolean() ? ",\"net.rx\":" : ",\"net\":{\"rx\":")
          .append(random.nextDouble());
      lines.append(lines.lastIndexOf("\"net\":{") > lines.lastIndexOf("\n") ? "}}\n" : "}\n");
    }
    node.ok("POST", "/s/_bulk?refresh=true", lines.toString());
  }

  private static void refused(NodeFixture node, String path, String body, int status, String reason)
      throws Exception {
    HttpResponse<String> answer = node.call("POST", path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(Json.parse(answer.body()).at("/error/reason").asText()).contains(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"synthetic", "stored"})
  void saysOfEachSeriesAndHourWhatItsMeasurementsSay(String source, @TempDir Path folder)
      throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/s", INDEX.formatted(source));
      fill(node, new Random(7));
      node.ok("PUT", "/s/_settings", "{\"index.blocks.write\":true}");

      node.ok("POST", "/s/_downsample/t", "{\"fixed_interval\":\"1h\"}");
      node.ok("POST", "/t/_downsample/u", "{\"fixed_interval\":\"6h\"}");

      Map<String, String> hours = metrics(node, "s", "1h");
      assertThat(hours.size()).isEqualTo(5 * 24);
      assertThat(metrics(node, "t", "1h")).isEqualTo(hours);
      assertThat(node.ok("GET", "/t/_count", "").path("count").asInt()).isEqualTo(hours.size());
      assertThat(metrics(node, "u", "6h")).isEqualTo(metrics(node, "s", "6h"));
      assertThat(node.ok("GET", "/u/_count", "").path("count").asInt()).isEqualTo(5 * 4);

      // The last values of what is no gauge.
      for (JsonNode hit : node.ok("GET", "/t/_search?size=200", "").at("/hits/hits")) {
        JsonNode document = hit.path("_source");
        String from = document.path("@timestamp").asText();
        String to = Instant.parse(from.replace(":20:", ":00:")).plusSeconds(3600).toString();
        for (String field : new String[] {"c", "l"}) {
          String newest =
              "{\"size\":1,\"query\":{\"bool\":{\"filter\":[{\"term\":{\"d\":\"%s\"}},{\"exists\":{\"field\":\"%s\"}},{\"range\":{\"@timestamp\":{\"gte\":\"%s\",\"lt\":\"%s\"}}}]}},\"sort\":[{\"@timestamp\":\"desc\"}]}"
                  .formatted(document.path("d").asText(), field, from, to);
          JsonNode expected =
              node.ok("POST", "/s/_search", newest).at("/hits/hits/0/_source/" + field);
          assertThat(document.path(field)).isEqualTo(expected);
        }
      }
      JsonNode settings = node.ok("GET", "/u/_settings?flat_settings", "").at("/u/settings");
      assertThat(settings.path("index.downsample.interval").asText()).isEqualTo("6h");
      assertThat(settings.path("index.downsample.status").asText()).isEqualTo("success");
      assertThat(settings.path("index.downsample.source.name").asText()).isEqualTo("t");
      assertThat(settings.path("index.downsample.origin.name").asText()).isEqualTo("s");
      JsonNode fields = node.ok("GET", "/u/_mapping", "").at("/u/mappings/properties");
      assertThat(fields.at("/g/type").asText()).isEqualTo("aggregate_metric_double");
      assertThat(fields.at("/c/type").asText()).isEqualTo("long");
      assertThat(fields.at("/@timestamp/meta/fixed_interval").asText()).isEqualTo("6h");
      refused(
          node, "/t/_doc", "{\"@timestamp\":\"2024-01-01T03:00:00Z\",\"d\":\"a\"}", 403, "blocked");
    }
  }

  /// Blocks are of the index that has them.
  @Test
  void anIndexThatTakesNothingForWantOfRoomIsDownsampled(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/s", INDEX.formatted("synthetic"));
      String document = "{\"@timestamp\":\"2024-01-01T05:01:00Z\",\"d\":\"a\",\"g\":1}";
      node.ok("POST", "/s/_doc", document);
      node.ok(
          "PUT",
          "/s/_settings",
          "{\"index.blocks.write\":true,\"index.blocks.read_only_allow_delete\":true}");

      node.ok("POST", "/s/_downsample/t", "{\"fixed_interval\":\"1h\"}");

      assertThat(node.ok("GET", "/t/_count", "").path("count").asInt()).isEqualTo(1);
    }
  }

  @Test
  void keepsLastValuesWhereAskedTo(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/s", INDEX.formatted("synthetic"));
      String document = "{\"@timestamp\":\"2024-01-01T05:%s:00Z\",\"d\":\"a\"%s}";
      node.ok("POST", "/s/_doc", document.formatted("01", ",\"g\":1,\"l\":\"x\""));
      node.ok("POST", "/s/_doc", document.formatted("02", ",\"g\":2"));
      node.ok("POST", "/s/_doc", document.formatted("03", ""));
      node.ok("PUT", "/s/_settings", "{\"index.blocks.write\":true}");

      node.ok(
          "POST",
          "/s/_downsample/t",
          "{\"fixed_interval\":\"1h\",\"sampling_method\":\"last_value\"}");

      assertThat(node.ok("GET", "/t/_search", "").at("/hits/hits/0/_source").toString())
          .isEqualTo(
              "{\"@timestamp\":\"2024-01-01T05:00:00.000Z\",\"_doc_count\":3,\"d\":\"a\",\"g\":2,\"l\":\"x\"}");
      assertThat(node.ok("GET", "/t/_mapping", "").at("/t/mappings/properties/g/type").asText())
          .isEqualTo("long");
    }
  }

  /// Of which a thousand, or fifty, would take more memory than requests may have.
  @Test
  void largeDocumentsAreReadAFewAtATime(@TempDir Path folder) throws Exception {
    String text = "word ".repeat(40_000);
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/s",
          INDEX
              .formatted("stored")
              .replace("\"l\":{\"type\":\"keyword\"}", "\"l\":{\"type\":\"text\"}"));
      for (int hour = 0; hour < 20; hour++) {
        StringBuilder lines = new StringBuilder();
        for (int minute = 21; minute < 25; minute++) {
          lines
              .append(
                  "{\"index\":{}}\n{\"@timestamp\":\"2024-01-01T%02d:%d:00Z\""
                      .formatted(hour, minute))
              .append(",\"d\":\"a\",\"g\":1,\"l\":\"")
              .append(text)
              .append("\"}\n");
        }
        assertThat(node.ok("POST", "/s/_bulk", lines.toString()).path("errors").asBoolean())
            .isFalse();
      }
      node.ok("PUT", "/s/_settings", "{\"index.blocks.write\":true}");
      String limit = "{\"persistent\":{\"indices.breaker.request.limit\":\"6mb\"}}";
      node.ok("PUT", "/_cluster/settings", limit);

      node.ok("POST", "/s/_downsample/t", "{\"fixed_interval\":\"1h\"}");

      assertThat(node.ok("GET", "/t/_count", "").path("count").asInt()).isEqualTo(20);
      assertThat(
              node.ok(
                      "POST",
                      "/t/_search?size=0",
                      "{\"aggs\":{\"n\":{\"value_count\":{\"field\":\"g\"}}}}")
                  .at("/aggregations/n/value")
                  .asInt())
          .isEqualTo(80);
    }
  }

  @Test
  void whatDoesNotFitIsRefusedAndLeavesNothing(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/s", INDEX.formatted("synthetic"));
      node.ok("PUT", "/plain", "{\"settings\":{\"index.blocks.write\":true}}");
      String hour = "{\"fixed_interval\":\"1h\"}";
      refused(
          node,
          "/s/_downsample/t",
          hour,
          400,
          "Downsample requires setting [index.blocks.write = true] for index [s]");
      refused(
          node,
          "/plain/_downsample/t",
          hour,
          400,
          "requires setting [index.mode=time_series] for index [plain]");
      refused(node, "/none/_downsample/t", hour, 404, "no such index [none]");
      node.ok("PUT", "/s/_settings", "{\"index.blocks.write\":true}");
      refused(node, "/s/_downsample/t", "{}", 400, "Required [fixed_interval]");
      refused(
          node,
          "/s/_downsample/t",
          "{\"fixed_interval\":\"1M\"}",
          400,
          "unit is missing or unrecognized");
      refused(
          node, "/s/_downsample/t", "{\"fixed_interval\":\"0m\"}", 400, "must be at least [1ms]");
      refused(
          node,
          "/s/_downsample/t",
          "{\"fixed_interval\":\"1h\",\"sampling_method\":\"mean\"}",
          400,
          "Unknown value [mean] for [sampling_method]");
      refused(
          node,
          "/s/_downsample/t",
          "{\"fixed_interval\":\"1h\",\"x\":1}",
          400,
          "unknown field [x]");
      refused(node, "/s/_downsample/plain", hour, 400, "already exists");
      refused(node, "/s/_downsample/A", hour, 400, "must be lowercase");
      assertThat(node.call("HEAD", "/t", "").statusCode()).isEqualTo(404);
      node.ok("POST", "/s/_downsample/t", hour);
      refused(
          node, "/t/_downsample/u", "{\"fixed_interval\":\"90m\"}", 400, "must be a multiple of");
      refused(node, "/t/_downsample/u", hour, 400, "must be a multiple of");
      HttpResponse<String> mine =
          node.call("PUT", "/mine", "{\"settings\":{\"index.downsample.status\":\"success\"}}");
      assertThat(mine.statusCode()).isEqualTo(400);
      assertThat(mine.body())
          .contains("private index setting [index.downsample.status] can not be set explicitly");
    }
  }
}
