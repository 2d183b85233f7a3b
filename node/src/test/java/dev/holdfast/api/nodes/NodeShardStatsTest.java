package dev.holdfast.api.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `_nodes/stats` by index and by shard, and what `_cluster/stats` makes of indices.
final class NodeShardStatsTest {
  @Test
  void countersAreShownByIndexAndByShard(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      // given
      node.ok("PUT", "/a", "{\"settings\":{\"number_of_shards\":2}}");
      node.ok("PUT", "/b", "{\"settings\":{\"number_of_shards\":1}}");
      for (int i = 0; i < 5; i++) {
        node.ok("PUT", "/a/_doc/" + i + "?refresh=true", "{}");
      }
      node.ok("PUT", "/b/_doc/1?refresh=true", "{}");

      // when
      JsonNode byNode = indices(node, "node");
      JsonNode byIndex = indices(node, "indices");
      JsonNode byShard = indices(node, "shards");

      // then
      assertThat(byNode.has("indices")).isFalse();
      assertThat(byNode.has("shards")).isFalse();
      assertThat(byIndex.at("/docs/count").asInt()).isEqualTo(6);
      assertThat(byIndex.at("/indices/a/docs/count").asInt()).isEqualTo(5);
      assertThat(byIndex.at("/indices/b/docs/count").asInt()).isEqualTo(1);
      assertThat(byIndex.at("/indices/a").has("store")).isFalse();
      JsonNode shards = byShard.at("/shards/a");
      assertThat(shards).hasSize(2);
      assertThat(shards.at("/0/0/docs/count").asInt() + shards.at("/1/1/docs/count").asInt())
          .isEqualTo(5);
      assertThat(byShard.at("/shards/b/0/0/routing/state").asText()).isEqualTo("STARTED");
      assertThat(byShard.at("/shards/b/0/0/routing/node").asText())
          .isEqualTo(node.json("/_nodes").path("nodes").fieldNames().next());
    }
  }

  private static JsonNode indices(NodeFixture node, String level) throws Exception {
    return node.json("/_nodes/stats/indices/docs?level=" + level)
        .path("nodes")
        .elements()
        .next()
        .path("indices");
  }

  @Test
  void typedClientsFindWhatTheyNeed(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/_ingest/pipeline/p",
          "{\"processors\":[{\"set\":{\"field\":\"a\",\"value\":1}},{\"set\":{\"field\":\"b\",\"value\":1}}]}");
      node.ok("PUT", "/a/_doc/1?pipeline=p", "{}");
      node.ok("PUT", "/_snapshot/kept", "{\"type\":\"fs\",\"settings\":{\"location\":\"kept\"}}");

      JsonNode stats = node.json("/_cluster/stats");
      JsonNode info = node.json("/_nodes").path("nodes").iterator().next();

      assertThat(stats.at("/nodes/ingest/number_of_pipelines").asInt()).isPositive();
      assertThat(stats.at("/nodes/ingest/processor_stats/set/count").asInt()).isEqualTo(2);
      assertThat(stats.at("/nodes/indexing_pressure/memory/total").isObject()).isTrue();
      assertThat(stats.at("/nodes/network_types/http_types")).isNotEmpty();
      assertThat(stats.path("repositories")).hasToString("{\"fs\":{\"count\":1,\"read_write\":1}}");
      assertThat(info.path("component_versions").isObject()).isTrue();
      assertThat(info.at("/transport/profiles").isObject()).isTrue();
      assertThat(info.at("/jvm/mem/direct_max_in_bytes").asLong()).isPositive();
      assertThat(info.at("/jvm/mem/non_heap_init_in_bytes").isNumber()).isTrue();
      assertThat(node.json("/_xpack").at("/license/uid").asText()).isNotEmpty();
    }
  }

  @Test
  void theClusterTellsItsIndicesAndMachines(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      JsonNode empty = node.json("/_cluster/stats");
      node.ok("PUT", "/a", "{\"settings\":{\"number_of_shards\":3}}");
      node.ok("PUT", "/b", "{\"settings\":{\"number_of_shards\":1}}");

      JsonNode stats = node.json("/_cluster/stats");

      assertThat(empty.at("/indices/shards").has("index")).isFalse();
      assertThat(empty.at("/indices/versions")).isEmpty();
      assertThat(stats.at("/indices/shards/index/primaries"))
          .hasToString("{\"min\":1,\"max\":3,\"avg\":2.0}");
      assertThat(stats.at("/indices/versions/0/index_count").asInt()).isEqualTo(2);
      assertThat(stats.at("/indices/versions/0/primary_shard_count").asInt()).isEqualTo(4);
      assertThat(stats.at("/nodes/jvm/versions/0/version").asText())
          .isEqualTo(System.getProperty("java.version"));
    }
  }
}
