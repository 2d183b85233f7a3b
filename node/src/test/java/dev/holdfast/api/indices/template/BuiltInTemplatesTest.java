package dev.holdfast.api.indices.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Component templates that nobody has put.
final class BuiltInTemplatesTest {
  @Test
  void makeIndices(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      JsonNode all = node.ok("GET", "/_component_template", "").at("/component_templates");
      assertThat(all.findValuesAsText("name"))
          .containsExactly(
              "data-streams@mappings",
              "ecs@mappings",
              "logs@mappings",
              "logs@settings",
              "metrics@mappings",
              "metrics@settings",
              "synthetics@mappings",
              "synthetics@settings");
      assertThat(node.call("GET", "/_cat/component_templates", "").body())
          .contains("logs@mappings");
      String template =
          """
          {"index_patterns": ["web-*"],
           "composed_of": ["data-streams@mappings", "logs@mappings", "logs@settings"]}
          """;
      node.ok("PUT", "/_index_template/web", template);
      String line =
          "{\"@timestamp\":\"2026-01-01\",\"ip\":\"10.0.0.1\",\"message\":\"up\",\"host\":\"a\"}";
      node.call("PUT", "/web-1/_doc/1?refresh=true", line);

      JsonNode mapping = node.ok("GET", "/web-1/_mapping", "").at("/web-1/mappings/properties");
      assertThat(mapping.at("/@timestamp/type").asText()).isEqualTo("date");
      assertThat(mapping.at("/ip/type").asText()).isEqualTo("ip");
      assertThat(mapping.at("/message/type").asText()).isEqualTo("match_only_text");
      assertThat(mapping.at("/host/ignore_above").asInt()).isEqualTo(1024);
      assertThat(mapping.at("/data_stream/properties/type/value").asText()).isEqualTo("logs");
      JsonNode settings = node.ok("GET", "/web-1/_settings?flat_settings", "");
      assertThat(settings.at("/web-1/settings/index.codec").asText()).isEqualTo("best_compression");
    }
  }

  @Test
  void areReplacedUntilTheReplacementIsDeleted(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String path = "/_component_template/logs@settings";
      node.ok("PUT", path, "{\"template\":{\"settings\":{\"number_of_shards\":2}},\"version\":7}");
      assertThat(version(node, path)).isEqualTo(7);
      assertThat(version(node, "/_component_template/metrics@settings")).isEqualTo(2);
      node.ok("DELETE", path, "");
      assertThat(version(node, path)).isEqualTo(2);
    }
  }

  private static int version(NodeFixture node, String path) throws Exception {
    return node.ok("GET", path, "").at("/component_templates/0/component_template/version").asInt();
  }

  @Test
  void aFirstWriteMakesAStreamOfLogs(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      JsonNode template = node.ok("GET", "/_index_template/logs", "").at("/index_templates/0");
      assertThat(template.at("/index_template/_meta/managed").asBoolean()).isTrue();
      assertThat(template.at("/index_template/priority").asInt()).isEqualTo(100);
      assertThat(node.call("GET", "/_cat/templates", "").body()).contains("[logs-*-*]");
      node.ok(
          "PUT",
          "/_component_template/logs@custom",
          "{\"template\":{\"mappings\":{\"properties\":{\"shard\":{\"type\":\"byte\"}}}}}");
      String line =
          """
          {"message":"up","source":{"ip":"10.0.0.1","geo":{"location":{"lat":1,"lon":2}}},
           "url":{"original":"http://a/b"},"process":{"name":"sh","command_line":"sh -c a"},
           "event":{"created":"2026-01-01T00:00:00Z","original":"x"},"host":{"cpu":{"usage":0.25}},
           "shard":3,"labels":{"a":"2026-01-01"}}
          """;
      JsonNode written = node.ok("POST", "/logs-app-a/_doc?refresh=true", line);
      assertThat(written.path("_index").asText()).startsWith(".ds-logs-app-a-");

      JsonNode stream = node.ok("GET", "/_data_stream/logs-app-a", "").at("/data_streams/0");
      assertThat(stream.path("template").asText()).isEqualTo("logs");
      assertThat(stream.at("/lifecycle/enabled").asBoolean()).isTrue();
      assertThat(stream.at("/failure_store/enabled").asBoolean()).isTrue();
      String index = written.path("_index").asText();
      JsonNode fields = node.ok("GET", "/" + index + "/_mapping", "").at("/" + index + "/mappings");
      assertThat(type(fields, "message")).isEqualTo("match_only_text");
      assertThat(type(fields, "source/properties/ip")).isEqualTo("ip");
      assertThat(type(fields, "source/properties/geo/properties/location")).isEqualTo("geo_point");
      assertThat(type(fields, "url/properties/original")).isEqualTo("wildcard");
      assertThat(type(fields, "process/properties/name/fields/text")).isEqualTo("match_only_text");
      assertThat(type(fields, "process/properties/command_line")).isEqualTo("wildcard");
      assertThat(type(fields, "event/properties/created")).isEqualTo("date");
      assertThat(type(fields, "host/properties/cpu/properties/usage")).isEqualTo("scaled_float");
      assertThat(type(fields, "shard")).isEqualTo("byte");
      assertThat(type(fields, "labels/properties/a")).isEqualTo("keyword");
      JsonNode hit = node.ok("GET", "/logs-app-a/_search", "").at("/hits/hits/0/_source");
      assertThat(hit.path("@timestamp").asText()).startsWith("20");
    }
  }

  private static String type(JsonNode mappings, String path) {
    return mappings.at("/properties/" + path + "/type").asText();
  }

  @Test
  void thePipelineOfLogsAsksAnotherOneAndTheOneOfJsonReadsMessages(@TempDir Path folder)
      throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/_ingest/pipeline/logs@custom",
          "{\"processors\":[{\"pipeline\":{\"name\":\"logs@json-pipeline\"}}]}");
      String line = "{\"message\":\"{\\\"a.b\\\":1,\\\"c\\\":2,\\\"c\\\":3}\"}";
      node.ok("POST", "/logs-app-a/_doc?refresh=true", line);
      node.ok("POST", "/logs-app-a/_doc?refresh=true", "{\"message\":\"{no}\"}");

      JsonNode hits = node.ok("GET", "/logs-app-a/_search?q=a.b:1", "").at("/hits/hits");
      assertThat(hits).hasSize(1);
      assertThat(hits.at("/0/_source/a/b").asInt()).isEqualTo(1);
      assertThat(hits.at("/0/_source/c").asInt()).isEqualTo(3);
      assertThat(hits.at("/0/_source/message").isMissingNode()).isTrue();
      assertThat(node.ok("GET", "/logs-app-a/_count?q=message:no", "").path("count").asInt())
          .isEqualTo(1);
      assertThat(node.ok("GET", "/_ingest/pipeline", "").at("/logs@json-pipeline/version").asInt())
          .isEqualTo(1);
      assertThat(node.ok("GET", "/_ilm/policy/7-days-default", "").findValue("delete")).isNotNull();
    }
  }

  @Test
  void areSwitchedOffForNewStreams(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_data_stream/metrics-a-b", "");
      String off = "{\"persistent\":{\"stack.templates.enabled\":false}}";
      node.ok("PUT", "/_cluster/settings", off);
      assertThat(node.call("GET", "/_index_template/logs", "").statusCode()).isEqualTo(404);
      node.ok("POST", "/metrics-a-b/_rollover", "");
      JsonNode plain = node.ok("GET", "/_resolve/index/logs-a-b?ignore_unavailable=true", "");
      assertThat(plain.path("data_streams")).isEmpty();
      assertThat(node.call("POST", "/logs-a-b/_doc", "{\"a\":1}").body())
          .contains("\"_index\":\"logs-a-b\"");
    }
  }
}
