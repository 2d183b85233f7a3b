package dev.holdfast.api.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What `_stats` counts of searches, gets and writes: the same whichever of two nodes is asked.
@Timeout(60)
final class CountedWorkTest {
  private static final Duration GRACE = Duration.ofMinutes(10);

  @RegisterExtension
  @Order(1)
  static final RunningNode node = RunningNode.withStore(GRACE);

  @RegisterExtension
  @Order(2)
  static final RunningNode other = node.beside(GRACE);

  private static void fill(String index, String properties) throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/" + index,
            """
            {"settings":{"number_of_shards":1,"number_of_replicas":0,"refresh_interval":-1},
             "mappings":{"properties":{%s}}}\
            """
                .formatted(properties));
    for (int i = 0; i < 4; i++) {
      JsonNode _ =
          node.ok("PUT", "/" + index + "/_doc/" + i, "{\"t\":\"word\",\"v\":[1," + i + "]}");
    }
    JsonNode _ = node.ok("POST", "/" + index + "/_refresh", "");
  }

  private static JsonNode total(RunningNode asked, String index, String section) throws Exception {
    JsonNode stats = asked.ok("GET", "/" + index + "/_stats?groups=_all&level=shards", "");
    JsonNode all = stats.at("/_all/total/" + section);
    JsonNode ofShard = stats.at("/indices/" + index + "/shards/0/0/" + section);
    assertThat(ofShard).as("the index has one shard").isEqualTo(all);
    return all;
  }

  @Test
  void phasesOfSearchesAreCountedWhereverTheyWereAskedFor() throws Exception {
    fill("searched", "\"t\":{\"type\":\"text\"}");
    for (RunningNode asked : new RunningNode[] {node, other, other}) {
      JsonNode _ =
          asked.ok("GET", "/searched/_search?stats=shop", "{\"query\":{\"match_all\":{}}}");
    }
    JsonNode _ =
        node.ok(
            "GET",
            "/searched/_search",
            "{\"suggest\":{\"s\":{\"text\":\"wrd\",\"term\":{\"field\":\"t\"}}}}");
    int failed =
        node.call("GET", "/searched/_search", "{\"query\":{\"match_all\":{\"boost\":\"NaN\"}}}")
            .statusCode();

    JsonNode here = total(node, "searched", "search");

    assertThat(failed).isEqualTo(400);
    assertThat(here.path("query_total").asInt()).isEqualTo(3);
    assertThat(here.path("query_failure").asInt()).isEqualTo(1);
    assertThat(here.path("query_current").asInt()).isZero();
    assertThat(here.path("fetch_total").asInt()).isEqualTo(3);
    assertThat(here.path("suggest_total").asInt()).isEqualTo(1);
    assertThat(here.at("/groups/shop/query_total").asInt()).isEqualTo(3);
    assertThat(here.at("/groups/shop/fetch_total").asInt()).isEqualTo(3);
    assertThat(here.at("/groups/shop/query_failure").asInt()).isZero();
    assertThat(here.path("recent_search_load").asDouble()).isPositive();
    JsonNode there = total(other, "searched", "search");
    assertThat(there.path("query_total")).isEqualTo(here.path("query_total"));
    JsonNode row =
        other.ok("GET", "/_cat/shards/searched?format=json&h=search.query_total,sfto", "").get(0);
    assertThat(row).hasToString("{\"search.query_total\":\"3\",\"sfto\":\"3\"}");
  }

  @Test
  void scrollsAreCountedWhenTheyEnd() throws Exception {
    fill("scrolled", "\"t\":{\"type\":\"text\"}");
    String id =
        other.ok("GET", "/scrolled/_search?scroll=1m&size=1", "{}").path("_scroll_id").asText();

    JsonNode open = total(node, "scrolled", "search");
    JsonNode _ = other.ok("DELETE", "/_search/scroll", "{\"scroll_id\":\"" + id + "\"}");
    JsonNode ended = total(node, "scrolled", "search");

    assertThat(open.path("scroll_current").asInt()).isEqualTo(1);
    assertThat(open.path("open_contexts").asInt()).isEqualTo(1);
    assertThat(open.path("scroll_total").asInt()).isZero();
    assertThat(ended.path("scroll_current").asInt()).isZero();
    assertThat(ended.path("open_contexts").asInt()).isZero();
    assertThat(ended.path("scroll_total").asInt()).isEqualTo(1);
  }

  @Test
  void getsAndWritesAreCounted() throws Exception {
    fill("written", "\"t\":{\"type\":\"text\"}");
    JsonNode _ = other.ok("GET", "/written/_doc/1", "");
    assertThat(other.call("GET", "/written/_doc/none", "").statusCode()).isEqualTo(404);
    assertThat(other.call("GET", "/written/_doc/none", "").statusCode()).isEqualTo(404);
    JsonNode _ = other.ok("DELETE", "/written/_doc/3", "");
    JsonNode _ = node.ok("PUT", "/written/_doc/4", "{\"t\":\"word\",\"v\":[1,4]}"); // not refreshed

    JsonNode gets = total(node, "written", "get");
    JsonNode writes = total(node, "written", "indexing");
    JsonNode bulks = total(node, "written", "bulk");
    JsonNode segments = total(node, "written", "segments");

    assertThat(gets.path("total").asInt()).isEqualTo(3);
    assertThat(gets.path("exists_total").asInt()).isEqualTo(1);
    assertThat(gets.path("missing_total").asInt()).isEqualTo(2);
    assertThat(gets.path("current").asInt()).isZero();
    assertThat(writes.path("index_total").asInt()).isEqualTo(5);
    assertThat(writes.path("delete_total").asInt()).isEqualTo(1);
    assertThat(writes.path("index_current").asInt()).isZero();
    assertThat(writes.path("delete_current").asInt()).isZero();
    assertThat(bulks.path("total_operations").asInt()).isEqualTo(6);
    assertThat(bulks.path("total_size_in_bytes").asInt())
        .isEqualTo(5 * "{\"t\":\"word\",\"v\":[1,0]}".length());
    assertThat(segments.path("version_map_memory_in_bytes").asLong()).isPositive();
    assertThat(segments.path("index_writer_memory_in_bytes").asLong()).isPositive();
  }

  @Test
  void vectorsAreCounted() throws Exception {
    fill(
        "vectors",
        "\"v\":{\"type\":\"dense_vector\",\"dims\":2},\"f\":{\"type\":\"sparse_vector\"}");
    JsonNode _ = node.ok("PUT", "/vectors/_doc/f?refresh=true", "{\"f\":{\"a\":1,\"b\":2}}");

    assertThat(total(other, "vectors", "dense_vector").path("value_count").asInt()).isEqualTo(4);
    assertThat(total(other, "vectors", "sparse_vector").path("value_count").asInt()).isEqualTo(1);
    JsonNode all = other.ok("GET", "/_cluster/stats", "").path("indices");
    assertThat(all.at("/dense_vector/value_count").asInt()).isEqualTo(4);
  }
}
