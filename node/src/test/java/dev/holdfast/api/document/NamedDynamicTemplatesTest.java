package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `dynamic_templates` of a line of `_bulk`: which template a new field takes.
final class NamedDynamicTemplatesTest {
  private static NodeFixture logs(Path folder) throws Exception {
    NodeFixture node = new NodeFixture(folder);
    node.ok(
        "PUT",
        "/logs",
        """
        {"mappings":{"dynamic_templates":[
          {"place":{"mapping":{"type":"geo_point"}}},
          {"tag":{"mapping":{"type":"keyword"}}},
          {"texts":{"match_mapping_type":"string","mapping":{"type":"text"}}}]}}
        """);
    return node;
  }

  @Test
  void newFieldsTakeTheTemplateThatIsNamed(@TempDir Path folder) throws Exception {
    try (NodeFixture node = logs(folder)) {
      JsonNode written =
          node.ok(
              "POST",
              "/logs/_bulk?refresh=true",
              """
              {"index":{"dynamic_templates":{"at":"place","o.tag":"tag","none":"nobody"}}}
              {"at":{"lat":1,"lon":2},"o":{"tag":"a b"},"text":"a b"}
              """);

      assertThat(written.path("errors").asBoolean()).isFalse();
      assertThat(node.ok("GET", "/logs/_mapping", "").at("/logs/mappings/properties"))
          .hasToString(
              """
              {"at":{"type":"geo_point"},"o":{"properties":{"tag":{"type":"keyword"}}},\
              "text":{"type":"text"}}\
              """);
      assertThat(node.ok("GET", "/logs/_search?q=o.tag:%22a%20b%22", "").at("/hits/hits"))
          .hasSize(1);
    }
  }

  @Test
  void aTemplateThatNobodyHasRefusesItsDocument(@TempDir Path folder) throws Exception {
    try (NodeFixture node = logs(folder)) {
      JsonNode written =
          node.ok(
              "POST",
              "/logs/_bulk",
              """
              {"index":{"dynamic_templates":{"a":"nobody"}}}
              {"a":1,"b":2}
              {"index":{}}
              {"c":2}
              """);

      assertThat(written.at("/items/0/index/error/type").asText())
          .isEqualTo("document_parsing_exception");
      assertThat(written.at("/items/0/index/error/reason").asText())
          .isEqualTo("Can't find dynamic template for dynamic template name [nobody] of field [a]");
      assertThat(written.at("/items/1/index/status").asInt()).isEqualTo(201);
      assertThat(node.ok("GET", "/logs/_mapping", "").at("/logs/mappings/properties"))
          .hasToString("{\"c\":{\"type\":\"long\"}}");
    }
  }

  @Test
  void deletesAndUpdatesTakeNone(@TempDir Path folder) throws Exception {
    try (NodeFixture node = logs(folder)) {
      var refused =
          node.call(
              "POST", "/logs/_bulk", "{\"delete\":{\"_id\":\"1\",\"dynamic_templates\":{}}}\n");

      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body())
          .contains("Delete request in line [1] does not accept dynamic_templates");
    }
  }
}
