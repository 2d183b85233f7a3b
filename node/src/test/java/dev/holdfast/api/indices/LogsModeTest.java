package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `index.mode: logsdb`.
final class LogsModeTest {
  private static final String LOGS = "{\"settings\":{\"index.mode\":\"logsdb\"}";

  private static JsonNode settings(NodeFixture node, String index) throws Exception {
    return node.ok("GET", "/" + index + "/_settings?flat_settings", "")
        .path(index)
        .path("settings");
  }

  private static String line(int minute, String host) {
    return "{\"index\":{}}\n{\"@timestamp\":\"2026-01-01T00:%02d:00Z\",\"host\":{\"name\":\"%s\"},\"bytes\":[3,1],\"n\":%d}\n"
        .formatted(minute, host, minute);
  }

  @Test
  void isSortedByHostAndTimeAndSourcesAreMadeOfColumns(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/l", LOGS + "}");
      JsonNode settings = settings(node, "l");
      assertThat(settings.path("index.sort.field").toString())
          .isEqualTo("[\"host.name\",\"@timestamp\"]");
      assertThat(settings.path("index.mapping.source.mode").asText()).isEqualTo("synthetic");
      assertThat(settings.path("index.codec").asText()).isEqualTo("best_compression");
      JsonNode fields = node.ok("GET", "/l/_mapping", "").at("/l/mappings");
      assertThat(fields.at("/_data_stream_timestamp/enabled").asBoolean()).isTrue();
      assertThat(fields.at("/properties/@timestamp/type").asText()).isEqualTo("date");
      assertThat(fields.at("/properties/host/properties/name/type").asText()).isEqualTo("keyword");

      node.ok(
          "POST",
          "/l/_bulk?refresh=true",
          line(1, "b") + line(4, "a") + line(3, "b") + line(2, "a"));
      JsonNode kept = node.ok("GET", "/l/_search?sort=_doc", "").at("/hits/hits");
      assertThat(kept.findValuesAsText("n")).isEqualTo(List.of("4", "2", "3", "1"));
      assertThat(kept.at("/0/_source").toString())
          .isEqualTo(
              "{\"@timestamp\":\"2026-01-01T00:04:00.000Z\",\"bytes\":[3,1],\"host\":{\"name\":\"a\"},\"n\":4}");

      String query = "{\"query\":{\"range\":{\"@timestamp\":{\"gte\":\"%s\",\"lt\":\"%s\"}}}}";
      assertThat(count(node, query.formatted("2026-01-01T00:02", "2026-01-01T00:04"))).isEqualTo(2);
      assertThat(count(node, query.formatted("2026-01-02", "2026-01-03"))).isZero();
      String newest =
          "{\"size\":1,\"sort\":[{\"@timestamp\":\"desc\"}],\"aggs\":{\"d\":{\"date_histogram\":{\"field\":\"@timestamp\",\"fixed_interval\":\"2m\"}},\"m\":{\"max\":{\"field\":\"@timestamp\"}}}}";
      JsonNode found = node.ok("POST", "/l/_search", newest);
      assertThat(found.at("/hits/hits/0/_source/n").asInt()).isEqualTo(4);
      assertThat(found.at("/aggregations/d/buckets").findValuesAsText("doc_count"))
          .isEqualTo(List.of("1", "2", "1"));
      assertThat(found.at("/aggregations/m/value_as_string").asText())
          .isEqualTo("2026-01-01T00:04:00.000Z");
      node.ok("POST", "/l/_forcemerge?max_num_segments=1", "");
      assertThat(count(node, query.formatted("2026-01-01T00:02", "2026-01-01T00:04"))).isEqualTo(2);
    }
  }

  @Test
  void textsHaveNormsOnlyWhereTheirMappingSaysSo(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String fields =
          "\"mappings\":{\"properties\":{\"m\":{\"type\":\"text\"},\"n\":{\"type\":\"text\",\"norms\":true}}}}";
      node.ok("PUT", "/l", LOGS + "," + fields);
      node.ok("PUT", "/s", "{" + fields);
      node.ok("PUT", "/l/_settings", "{\"index.blocks.write\":true}");
      node.ok("PUT", "/l/_clone/c", "");
      for (String index : List.of("l", "s", "c")) {
        JsonNode shown = node.ok("GET", "/" + index + "/_mapping/field/*?include_defaults", "");
        assertThat(shown.at("/" + index + "/mappings/m/mapping/m/norms").asBoolean())
            .as(index)
            .isEqualTo(index.equals("s"));
        assertThat(shown.at("/" + index + "/mappings/n/mapping/n/norms").asBoolean()).isTrue();
      }
    }
  }

  private static int count(NodeFixture node, String query) throws Exception {
    return node.ok("POST", "/l/_count", query).path("count").asInt();
  }

  @Test
  void whatIsSaidStands(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/own",
          "{\"settings\":{\"index\":{\"mode\":\"logsdb\",\"codec\":\"default\",\"mapping.source.mode\":\"stored\",\"sort.field\":\"a\"}},\"mappings\":{\"properties\":{\"a\":{\"type\":\"keyword\"}}}}");
      JsonNode own = settings(node, "own");
      assertThat(own.path("index.sort.field").asText()).isEqualTo("a");
      assertThat(own.path("index.mapping.source.mode").asText()).isEqualTo("stored");
      assertThat(own.path("index.codec").asText()).isEqualTo("default");

      String hosts = ",\"mappings\":{\"properties\":{\"host\":{\"type\":\"keyword\"}}}}";
      node.ok("PUT", "/hosts", LOGS + hosts);
      assertThat(settings(node, "hosts").path("index.sort.field").toString())
          .isEqualTo("[\"@timestamp\"]");
      String text = ",\"mappings\":{\"properties\":{\"host.name\":{\"type\":\"text\"}}}}";
      node.ok("PUT", "/texts", LOGS + text);
      assertThat(settings(node, "texts").path("index.sort.field").toString())
          .isEqualTo("[\"@timestamp\"]");
    }
  }

  @Test
  void whatItCannotBeIsRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      for (String body :
          List.of(
              LOGS + ",\"mappings\":{\"_source\":{\"enabled\":false}}}",
              LOGS + ",\"mappings\":{\"properties\":{\"@timestamp\":{\"type\":\"keyword\"}}}}",
              LOGS
                  + ",\"mappings\":{\"properties\":{\"@timestamp\":{\"type\":\"date\",\"index\":false}}}}",
              LOGS + ",\"mappings\":{\"properties\":{\"o\":{\"type\":\"nested\"}}}}",
              "{\"settings\":{\"index.mode\":\"logsdb\",\"index.mapping.source.mode\":\"disabled\"}}",
              "{\"settings\":{\"index.mode\":\"time_series\"}}",
              "{\"settings\":{\"index.mode\":\"banana\"}}")) {
        HttpResponse<String> answer = node.call("PUT", "/bad", body);
        assertThat(answer.statusCode()).as(body + answer.body()).isEqualTo(400);
      }
      for (String made :
          List.of(
              ",\"mappings\":{\"properties\":{\"o\":{\"type\":\"nested\"}}}",
              ",\"mappings\":{\"_source\":{\"enabled\":false}}")) {
        String template =
            "{\"index_patterns\":[\"t-*\"],\"data_stream\":{},\"template\":" + LOGS + made + "}}";
        HttpResponse<String> answer = node.call("PUT", "/_index_template/t", template);
        assertThat(answer.statusCode()).as(template + answer.body()).isEqualTo(400);
      }
      node.ok("PUT", "/l", LOGS + "}");
      String off = "{\"_data_stream_timestamp\":{\"enabled\":false}}";
      assertThat(node.call("PUT", "/l/_mapping", off).body())
          .contains("Cannot update parameter [enabled] from [true] to [false]");
      HttpResponse<String> timeless = node.call("POST", "/l/_doc", "{\"a\":1}");
      assertThat(timeless.statusCode()).isEqualTo(400);
      assertThat(timeless.body()).contains("data stream timestamp field [@timestamp] is missing");
      assertThat(node.call("PUT", "/l/_settings", "{\"index.mode\":\"standard\"}").statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void streamsOfLogsHaveItWhereTheClusterSaysSo(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_cluster/settings", "{\"persistent\":{\"cluster.logsdb.enabled\":true}}");
      node.ok("POST", "/logs-a-b/_doc?refresh=true", "{\"host.name\":\"x\",\"message\":\"up\"}");
      node.ok("POST", "/metrics-a-b/_doc", "{\"@timestamp\":\"2026-01-01\",\"cpu\":1}");

      assertThat(mode(node, "logs-a-b")).isEqualTo("logsdb");
      assertThat(mode(node, "metrics-a-b")).isEqualTo("standard");
      node.ok("POST", "/logs-a-b/_rollover", "");
      JsonNode hit = node.ok("GET", "/logs-a-b/_search", "").at("/hits/hits/0/_source");
      assertThat(hit.toString()).contains("\"message\":\"up\"").contains("\"name\":\"x\"");
    }
  }

  private static String mode(NodeFixture node, String stream) throws Exception {
    return node.ok("GET", "/_data_stream/" + stream, "").at("/data_streams/0/index_mode").asText();
  }
}
