package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Indices that keep their documents in an order, and those that spread a routing over shards.
final class IndexSortTest {
  private static final String SORTED =
      "{\"settings\":{\"index.sort.field\":[\"n\",\"k\"],\"index.sort.order\":[\"desc\",\"asc\"]},"
          + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"},\"k\":{\"type\":\"keyword\"}}}}";

  @Test
  void documentsLieInOrderAfterRefreshMergeRestartAndClone(@TempDir Path folder) throws Exception {
    List<String> before;
    try (NodeFixture node = new NodeFixture(folder)) {
      node.call("PUT", "/books", SORTED);
      fill(node, 0, 40);
      fill(node, 40, 80);
      node.call("POST", "/books/_forcemerge?max_num_segments=1", "");
      before = ids(node, "/books/_search?size=100&sort=_doc");
      assertThat(before).isEqualTo(ids(node, "/books/_search?size=100&sort=n:desc,k:asc"));

      node.call("PUT", "/books/_block/write", "");
      node.call("POST", "/books/_clone/copy", "");
      assertThat(ids(node, "/copy/_search?size=100&sort=_doc")).isEqualTo(before);
      node.call("PUT", "/books/_settings", "{\"index.blocks.write\":null}");
    }
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(ids(node, "/books/_search?size=100&sort=_doc")).isEqualTo(before);
      fill(node, 80, 120);
      node.call("POST", "/books/_forcemerge?max_num_segments=1", "");
      assertThat(ids(node, "/books/_search?size=200&sort=_doc"))
          .hasSize(120)
          .isEqualTo(ids(node, "/books/_search?size=200&sort=n:desc,k:asc"));
    }
  }

  @Test
  void aSearchSortedAlikeStopsEarly(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.call("PUT", "/books", SORTED);
      fill(node, 0, 3000);
      node.call("POST", "/books/_forcemerge?max_num_segments=1", "");

      JsonNode alike =
          Json.parse(
              node.call(
                      "GET",
                      "/books/_search?size=2&sort=n:desc,k:asc&track_total_hits=5&q=k:k*",
                      "")
                  .body());

      assertThat(alike.at("/hits/total/relation").asText()).isEqualTo("gte");
      assertThat(alike.at("/hits/total/value").asInt()).isLessThan(20);
      assertThat(alike.at("/hits/hits/0/sort/0").asInt()).isEqualTo(996);
    }
  }

  private static void fill(NodeFixture node, int from, int to) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < to; i++) {
      lines.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      lines.append(i % 7 == 3 ? "{" : "{\"n\":" + (i * 37 % 997) + ",");
      lines.append("\"k\":\"k").append(i % 5).append("\"}\n");
    }
    HttpResponse<String> filled = node.call("POST", "/books/_bulk?refresh=true", lines.toString());
    assertThat(filled.body()).contains("\"errors\":false");
  }

  private static List<String> ids(NodeFixture node, String target) throws Exception {
    List<String> ids = new ArrayList<>();
    Json.parse(node.call("GET", target, "").body())
        .at("/hits/hits")
        .forEach(hit -> ids.add(hit.path("_id").asText()));
    assertThat(ids).isNotEmpty();
    return ids;
  }

  @Test
  void whatCannotBeSortedByIsRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      requireRefused(node, "\"index.sort.field\":\"x\"", "unknown index sort field:[x]");
      requireRefused(node, "\"index.sort.field\":\"t\"", "docvalues not found for index sort");
      requireRefused(node, "\"index.sort.field\":\"al\"", "Cannot use alias [al]");
      requireRefused(node, "\"index.sort.field\":\"h\"", "invalid index sort field:[h]");
      requireRefused(node, "\"index.sort.order\":\"asc\"", "setting [index.sort.order] requires");
      requireRefused(
          node, "\"index.sort.field\":\"n\",\"index.sort.order\":\"up\"", "Illegal sort order:up");
      requireRefused(
          node,
          "\"index.sort.field\":\"n\",\"index.sort.missing\":[\"_first\",\"_last\"]",
          "size mismatch");
      requireRefused(
          node,
          "\"index.sort.field\":\"n\",\"index.sort.mode\":\"avg\"",
          "Illegal index sort mode");
      node.call("PUT", "/books", SORTED);
      HttpResponse<String> nested =
          node.call("PUT", "/books/_mapping", "{\"properties\":{\"o\":{\"type\":\"nested\"}}}");

      assertThat(nested.statusCode()).isEqualTo(400);
      assertThat(nested.body()).contains("cannot have nested fields");
    }
  }

  private static void requireRefused(NodeFixture node, String settings, String why)
      throws Exception {
    HttpResponse<String> answer =
        node.call(
            "PUT",
            "/refused",
            "{\"settings\":{"
                + settings
                + "},\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"},\"t\":{\"type\":\"text\"},"
                + "\"h\":{\"type\":\"half_float\"},\"al\":{\"type\":\"alias\",\"path\":\"n\"}}}}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains(why);
  }

  @Test
  void aPartitionedRoutingIsFoundWhereverItsDocumentsAre(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      HttpResponse<String> loose =
          node.call(
              "PUT",
              "/loose",
              "{\"settings\":{\"index.number_of_shards\":4,\"index.routing_partition_size\":3}}");
      node.call(
          "PUT",
          "/books",
          "{\"settings\":{\"index.number_of_shards\":4,\"index.routing_partition_size\":3},"
              + "\"mappings\":{\"_routing\":{\"required\":true}}}");
      for (int i = 0; i < 30; i++) {
        node.call("PUT", "/books/_doc/" + i + "?routing=a", "{\"x\":1}");
      }
      node.call("POST", "/books/_refresh", "");
      JsonNode found = Json.parse(node.call("GET", "/books/_search?routing=a&size=0", "").body());
      HttpResponse<String> one = node.call("GET", "/books/_doc/7?routing=a", "");
      JsonNode shards = Json.parse(node.call("GET", "/_cat/shards/books?format=json", "").body());

      assertThat(loose.body()).contains("must have routing required for partitioned index");
      assertThat(found.at("/hits/total/value").asInt()).isEqualTo(30);
      assertThat(found.at("/_shards/total").asInt()).isEqualTo(3);
      assertThat(one.statusCode()).isEqualTo(200);
      int filled = 0;
      for (JsonNode shard : shards) {
        filled += shard.path("docs").asInt() > 0 ? 1 : 0;
      }
      assertThat(filled).isEqualTo(3);

      node.call("PUT", "/books/_block/write", "");
      node.call("POST", "/books/_split/more", "{\"settings\":{\"index.number_of_shards\":8}}");
      assertThat(
              Json.parse(node.call("GET", "/more/_search?routing=a&size=0", "").body())
                  .at("/hits/total/value")
                  .asInt())
          .isEqualTo(30);
      assertThat(node.call("GET", "/more/_doc/7?routing=a", "").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void theDefaultSimilarityScoresFieldsThatNameNone(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.call(
          "PUT",
          "/books",
          "{\"settings\":{\"index.similarity.default\":{\"type\":\"BM25\",\"b\":0.0,\"k1\":3}}}");
      node.call("PUT", "/books/_doc/1?refresh=true", "{\"x\":\"a a a b\"}");
      JsonNode found = Json.parse(node.call("GET", "/books/_search?q=x:a", "").body());

      // Asked of Elasticsearch 9.5.3.
      assertThat(found.at("/hits/hits/0/_score").floatValue()).isEqualTo(0.5753642f);
      for (String wrong :
          List.of(
              "{\"type\":\"nope\"}",
              "{\"type\":\"BM25\",\"k1\":-1}",
              "{\"type\":\"BM25\",\"zz\":1}")) {
        assertThat(
                node.call(
                        "PUT",
                        "/refused",
                        "{\"settings\":{\"index.similarity.default\":" + wrong + "}}")
                    .statusCode())
            .isEqualTo(400);
      }
    }
  }

  @Test
  void aMappingMayGoToTheWriteIndexAlone(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.call("PUT", "/a", "{\"aliases\":{\"all\":{}}}");
      node.call("PUT", "/b", "{\"aliases\":{\"all\":{\"is_write_index\":true}}}");
      HttpResponse<String> put =
          node.call(
              "PUT",
              "/all/_mapping?write_index_only=true",
              "{\"properties\":{\"f\":{\"type\":\"long\"}}}");
      JsonNode mappings = Json.parse(node.call("GET", "/a,b/_mapping", "").body());

      assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
      assertThat(mappings.at("/a/mappings/properties/f").isMissingNode()).isTrue();
      assertThat(mappings.at("/b/mappings/properties/f/type").asText()).isEqualTo("long");
    }
  }
}
