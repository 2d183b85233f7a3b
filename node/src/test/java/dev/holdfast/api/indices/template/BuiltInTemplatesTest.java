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
              "logs@mappings",
              "logs@settings",
              "metrics@mappings",
              "metrics@settings");
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
      assertThat(version(node, "/_component_template/metrics@settings")).isEqualTo(1);
      node.ok("DELETE", path, "");
      assertThat(version(node, path)).isEqualTo(1);
    }
  }

  private static int version(NodeFixture node, String path) throws Exception {
    return node.ok("GET", path, "").at("/component_templates/0/component_template/version").asInt();
  }
}
