package dev.holdfast.api.search.caps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `_field_caps`: which fields are left out.
final class FieldCapsTest {
  private static final String MAPPING =
      """
      {"mappings":{"properties":{
        "title":{"type":"text","fields":{"raw":{"type":"keyword"}}},
        "size":{"type":"long"},
        "parts":{"type":"nested","properties":{"name":{"type":"keyword"}}},
        "empty":{"type":"nested","properties":{"name":{"type":"keyword"}}}}}}
      """;

  @Test
  void leavesOutWhatFiltersSay(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", MAPPING);
      node.ok(
          "PUT", "/books/_doc/1?refresh=true", "{\"title\":\"A\",\"parts\":[{\"name\":\"b\"}]}");

      assertThat(fields(node, "filters=-metadata,-nested"))
          .containsExactlyInAnyOrder("title", "title.raw", "size");
      assertThat(fields(node, "filters=-metadata,-multifield,-parent"))
          .containsExactlyInAnyOrder("title", "size", "parts.name", "empty.name");
      assertThat(fields(node, "filters=-metadata&include_empty_fields=false"))
          .containsExactlyInAnyOrder("title", "title.raw", "parts", "parts.name");
      assertThat(node.refused(400, "GET", "/books/_field_caps?fields=*&filters=x", "").toString())
          .contains("Unknown field caps filter [x]");
      assertThat(
              node.refused(400, "POST", "/books/_field_caps?fields=a", "{\"fields\":[\"b\"]}")
                  .toString())
          .contains("[fields] request parameter");
    }
  }

  private static List<String> fields(NodeFixture node, String parameters) throws Exception {
    JsonNode caps = node.ok("GET", "/books/_field_caps?fields=*&" + parameters, "");
    return caps.path("fields").properties().stream().map(Map.Entry::getKey).toList();
  }
}
