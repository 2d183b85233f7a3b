package dev.holdfast.api.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Cluster settings that protect data.
final class ClusterBlocksTest {
  private static void set(NodeFixture node, String kind, String name, String value)
      throws Exception {
    node.ok("PUT", "/_cluster/settings", "{\"%s\":{\"%s\":%s}}".formatted(kind, name, value));
  }

  @ParameterizedTest
  @CsvSource({
    "persistent,read_only,false",
    "transient,read_only,false",
    "persistent,read_only_allow_delete,true"
  })
  void aReadOnlyClusterIsReadOnly(
      String kind, String block, boolean mayDelete, @TempDir Path folder) throws Exception {
    String name = "cluster.blocks." + block;
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books/_doc/1?refresh=true", "{}");
      set(node, kind, name, "true");

      JsonNode write = node.refused(403, "PUT", "/books/_doc/2", "{}");
      node.refused(403, "DELETE", "/books/_doc/1", "");
      node.refused(403, "POST", "/books/_update/1", "{\"doc\":{\"a\":1}}");
      node.refused(403, "POST", "/books/_delete_by_query", "{\"query\":{\"match_all\":{}}}");
      node.refused(403, "PUT", "/other", "");
      node.refused(403, "PUT", "/other/_doc/1", "{}");
      node.refused(
          403, "PUT", "/books/_mapping", "{\"properties\":{\"k\":{\"type\":\"keyword\"}}}");
      node.refused(403, "PUT", "/books/_settings", "{\"index.hidden\":true}");
      node.refused(403, "PUT", "/books/_alias/a", "");
      node.refused(403, "POST", "/books/_close", "");
      node.refused(
          403, "PUT", "/_index_template/t", "{\"index_patterns\":[\"x*\"],\"template\":{}}");
      node.refused(403, "PUT", "/_ingest/pipeline/p", "{\"processors\":[]}");
      JsonNode bulk =
          node.ok("POST", "/_bulk", "{\"index\":{\"_index\":\"books\",\"_id\":\"3\"}}\n{}\n");
      if (!mayDelete) {
        node.refused(403, "DELETE", "/books", "");
      }

      assertThat(write.at("/error/type").asText()).isEqualTo("cluster_block_exception");
      assertThat(write.at("/error/reason").asText()).startsWith("blocked by: [FORBIDDEN/");
      assertThat(bulk.at("/items/0/index/status").asInt()).isEqualTo(403);
      assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(1);
      assertThat(node.json("/_cluster/state/blocks").at("/blocks/global")).hasSize(1);
      if (mayDelete) {
        node.ok("DELETE", "/books", "");
      }
      set(node, kind, name, "null");
      node.ok("PUT", "/books/_doc/2", "{}");
    }
  }

  @Test
  void writesOfABlockedIndexAreRefusedOneByOne(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books/_doc/1", "{}");
      node.ok("PUT", "/books/_settings", "{\"index.blocks.read_only_allow_delete\":true}");

      JsonNode bulk = node.ok("POST", "/books/_bulk", "{\"index\":{}}\n{}\n{\"index\":{}}\n{}\n");

      assertThat(bulk.path("errors").asBoolean()).isTrue();
      assertThat(bulk.at("/items/1/index/status").asInt()).isEqualTo(429);
      assertThat(bulk.at("/items/1/index/error/type").asText())
          .isEqualTo("cluster_block_exception");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"_all", "*", "bo*", "books,x*", "b*,-c*"})
  void whatDestroysNamesItsIndices(String expression, @TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", "");
      set(node, "persistent", "action.destructive_requires_name", "true");

      for (String request : new String[] {"DELETE /%s", "POST /%s/_close", "POST /%s/_open"}) {
        String[] parts = request.formatted(expression).split(" ");
        JsonNode refused = node.refused(400, parts[0], parts[1], "");
        assertThat(refused.at("/error/reason").asText())
            .isEqualTo("Wildcard expressions or all indices are not allowed");
      }
      node.refused(400, "PUT", "/" + expression + "/_block/write", "");
      node.ok("POST", "/books/_close", "");
      node.ok("DELETE", "/books", "");
    }
  }

  @Test
  void closingMayBeForbidden(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", "");
      set(node, "persistent", "cluster.indices.close.enable", "false");

      node.refused(400, "POST", "/books/_close", "");

      node.refused(
          400,
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"cluster.blocks.read_only\":\"x\"}}");
    }
  }
}
