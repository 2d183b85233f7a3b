package dev.holdfast.api.indices.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `index.blocks.metadata`: nobody sees what the index is made of, and no document adds to it.
final class MetadataBlockTest {
  @Test
  void hidesTheIndexFromWhatDescribesIt(@TempDir Path folder) throws Exception {
    try (NodeFixture node = blocked(folder)) {
      for (String path :
          List.of(
              "/_cat/shards/books",
              "/_cat/indices",
              "/_cat/segments/books",
              "/_cat/recovery",
              "/_cat/aliases",
              "/_stats",
              "/books/_segments",
              "/books/_recovery",
              "/_shard_stores",
              "/books/_alias",
              "/books/_search_shards",
              "/books/_field_usage_stats",
              "/books/_mapping/field/n")) {
        JsonNode refused = node.refused(403, "GET", path, "");

        assertThat(refused.at("/error/type").asText())
            .as(path)
            .isEqualTo("cluster_block_exception");
      }
      for (String path : List.of("/_forcemerge", "/books/_cache/clear")) {
        JsonNode _ = node.refused(403, "POST", path, "");
      }
    }
  }

  @Test
  void leavesSearchesAndKnownFieldsAlone(@TempDir Path folder) throws Exception {
    try (NodeFixture node = blocked(folder)) {
      JsonNode _ = node.ok("PUT", "/books/_doc/2?refresh=true", "{\"n\":2}");

      assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(2);
    }
  }

  @Test
  void refusesADocumentWithNewFieldsAndNoOther(@TempDir Path folder) throws Exception {
    try (NodeFixture node = blocked(folder)) {
      JsonNode answer =
          node.ok(
              "POST",
              "/books/_bulk?refresh=true",
              """
              {"index":{"_id":"2"}}
              {"n":2}
              {"index":{"_id":"3"}}
              {"n":3,"new":1}
              """);

      assertThat(answer.at("/items/0/index/status").asInt()).isEqualTo(201);
      assertThat(answer.at("/items/1/index/status").asInt()).isEqualTo(403);
      assertThat(answer.at("/items/1/index/error/type").asText())
          .isEqualTo("cluster_block_exception");
      assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(2);
    }
  }

  private static NodeFixture blocked(Path folder) throws Exception {
    NodeFixture node = new NodeFixture(folder);
    JsonNode _ = node.ok("PUT", "/books/_doc/1?refresh=true", "{\"n\":1}");
    JsonNode _ = node.ok("PUT", "/books/_settings", "{\"index.blocks.metadata\":true}");
    return node;
  }
}
