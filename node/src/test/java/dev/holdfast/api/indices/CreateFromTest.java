package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CreateFromTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void addSource() throws Exception {
    node.ok(
        "PUT",
        "/source",
        """
        {"settings":{"index.mode":"time_series","index.routing_path":"d"},"mappings":{"properties":{
          "@timestamp":{"type":"date"},"d":{"type":"keyword","time_series_dimension":true},
          "v":{"type":"long","time_series_metric":"gauge"}}}}\
        """);
    node.ok("PUT", "/source/_settings", "{\"index.blocks.write\":true}");
    node.ok("POST", "/source/_downsample/coarse", "{\"fixed_interval\":\"1h\"}");
  }

  @Test
  void theNewIndexIsMadeOfNothing() throws Exception {
    node.ok(
        "PUT",
        "/_create_from/coarse/copy",
        "{\"settings_override\":{\"index.priority\":7},"
            + "\"mappings_override\":{\"properties\":{\"more\":{\"type\":\"keyword\"}}}}");

    JsonNode index = node.ok("GET", "/copy?flat_settings=true", "").path("copy");
    assertThat(index.path("settings").toString())
        .contains("\"index.priority\":\"7\"", "\"index.mode\":\"time_series\"")
        .doesNotContain("index.downsample.", "index.blocks.");
    assertThat(index.at("/mappings/properties/more/type").asText()).isEqualTo("keyword");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"settings_override\":{\"index.downsample.status\":\"success\"}} | private index setting"
            + " [index.downsample.status] can not be set explicitly",
        "{\"settings_override\":{\"index.uuid\":\"x\"}} | [index.uuid]",
        "{\"settings_override\":7} | expected an object but found",
        "{\"mappings_override\":\"x\"} | expected an object but found",
      })
  void whatNobodyMaySayIsRefused(String body, String reason) throws Exception {
    JsonNode refused = node.refused(400, "PUT", "/_create_from/source/other", body);

    assertThat(refused.toString()).contains(reason.replace("\"", "\\\""));
    assertThat(node.call("HEAD", "/other", "").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/_index_template/t | {\"index_patterns\":[\"t\"],\"template\":%s}",
        "/_component_template/t | {\"template\":%s}",
        "/_template/t | {\"index_patterns\":[\"t\"],\"settings\":{\"index.downsample.status\":\"x\"}}",
        "/source/_clone/other | %s",
      })
  void norIsItElsewhere(String path, String body) throws Exception {
    String settings = "{\"settings\":{\"index.downsample.status\":\"success\"}}";

    assertThat(node.refused(400, "PUT", path, body.replace("%s", settings)).toString())
        .contains("private index setting [index.downsample.status] can not be set explicitly");
  }
}
