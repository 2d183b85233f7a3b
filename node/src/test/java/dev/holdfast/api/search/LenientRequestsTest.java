package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests around searches that Elasticsearch takes too.
final class LenientRequestsTest {
  private static NodeFixture books(Path folder, int shards) throws Exception {
    NodeFixture node = new NodeFixture(folder);
    node.ok(
        "PUT",
        "/books",
        """
        {"settings":{"number_of_shards":%d},"mappings":{"properties":{
          "g":{"type":"keyword"},"n":{"type":"long"}}}}
        """
            .formatted(shards));
    node.ok(
        "POST",
        "/books/_bulk?refresh=true",
        """
        {"index":{"_id":"1"}}
        {"g":"a","n":1}
        {"index":{"_id":"2"}}
        {"g":"a","n":2}
        {"index":{"_id":"3"}}
        {"g":"b","n":3}
        """);
    return node;
  }

  @Test
  void documentsHaveAnOrderWithoutAPointInTime(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder, 1)) {
      String sorted = "{\"_source\":false,\"sort\":[{\"_shard_doc\":\"desc\"}]%s}";

      JsonNode all = node.ok("POST", "/books/_search", sorted.formatted(""));
      JsonNode rest = node.ok("POST", "/books/_search", sorted.formatted(",\"search_after\":[1]"));

      assertThat(all.at("/hits/hits").findValuesAsText("_id")).containsExactly("3", "2", "1");
      assertThat(rest.at("/hits/hits").findValuesAsText("_id")).containsExactly("1");
    }
  }

  @Test
  void anEmptyListOfStoredFieldsLeavesTheSourceOut(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder, 1)) {
      String get = "/books/_doc/1?stored_fields=";
      assertThat(node.json(get).has("_source")).isFalse();
      assertThat(node.json(get + "&_source=true").has("_source")).isTrue();
      assertThat(node.json("/books/_doc/1").has("_source")).isTrue();

      String docs = "{\"docs\":[{\"_id\":\"1\"},{\"_id\":\"2\",\"stored_fields\":null}]}";
      JsonNode none = node.ok("POST", "/books/_mget?stored_fields=", docs);
      JsonNode all = node.ok("POST", "/books/_mget", docs);
      assertThat(none.findValues("_source")).isEmpty();
      assertThat(all.findValues("_source")).hasSize(2);
    }
  }

  @Test
  void extMayBeEmptyOnly(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder, 1)) {
      String sampler =
          "{\"size\":0,\"aggs\":{\"a\":{\"random_sampler\":{\"probability\":0.5,\"seed\":1,\"shard_seed\":2},"
              + "\"aggs\":{\"b\":{\"sum\":{\"field\":\"n\"}}}}}}";
      assertThat(node.ok("POST", "/books/_search", sampler).at("/aggregations/a").toString())
          .startsWith("{\"seed\":1,\"shard_seed\":2,\"probability\":0.5,");
      node.ok("POST", "/books/_search", "{\"ext\":{}}");

      JsonNode refused = node.refused(400, "POST", "/books/_search", "{\"ext\":{\"x\":1}}");

      assertThat(refused.at("/error/type").asText()).isEqualTo("x_content_parse_exception");
    }
  }

  @Test
  void countsSayWhetherTheyEndedEarly(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder, 1)) {
      assertThat(node.json("/books/_count?terminate_after=1").path("terminated_early"))
          .hasToString("true");
      assertThat(node.json("/books/_count?terminate_after=9").path("terminated_early"))
          .hasToString("false");
      assertThat(node.json("/books/_count").has("terminated_early")).isFalse();
    }
  }

  @Test
  void catCountsWhatAQueryFinds(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder, 1)) {
      String ofA = "{\"query\":{\"term\":{\"g\":\"a\"}}}";

      assertThat(node.json("GET", "/_cat/count/books?format=json", ofA).at("/0/count").asText())
          .isEqualTo("2");
      assertThat(node.json("/_cat/count?format=json&q=g:b").at("/0/count").asText()).isEqualTo("1");
      assertThat(node.json("/_cat/count?format=json").at("/0/count").asText()).isEqualTo("3");
      node.ok("PUT", "/books/_alias/of-b", "{\"filter\":{\"term\":{\"g\":\"b\"}}}");
      assertThat(node.json("/_cat/count/of-b?format=json").at("/0/count").asText()).isEqualTo("1");
      assertThat(node.call("GET", "/_cat/count", "{\"query\":{\"x\":{}}}").statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void catAllocationShowsTheNodesThatAreMeant(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder, 1)) {
      assertThat(node.json("/_cat/allocation/_local?format=json")).hasSize(1);
      assertThat(node.json("/_cat/allocation/nobody?format=json")).isEmpty();
    }
  }

  @Test
  void whatIsMissingHasNoShardsToSearch(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder, 2)) {
      node.ok("PUT", "/books/_settings", "{\"index.blocks.read\":true}"); // of documents
      JsonNode none = node.ok("GET", "/nobody/_search_shards", "");
      JsonNode some = node.ok("GET", "/nobody,books/_search_shards", "");
      JsonNode strict =
          node.refused(404, "GET", "/nobody/_search_shards?ignore_unavailable=false", "");

      assertThat(none).hasToString("{\"nodes\":{},\"indices\":{},\"shards\":[]}");
      assertThat(some.path("shards")).hasSize(2);
      assertThat(some.path("nodes")).hasSize(1);
      assertThat(strict.at("/error/type").asText()).isEqualTo("index_not_found_exception");
    }
  }
}
