package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `search_type=dfs_query_then_fetch`: documents are scored as in an index of one shard, wherever
/// they are.
final class DfsSearchTest {
  private static final String QUERY = "\"query\":{\"match\":{\"t\":\"rare common\"}}";

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void write() throws Exception {
    for (Map.Entry<String, Integer> index : Map.of("one", 1, "three", 3).entrySet()) {
      node.ok(
          "PUT",
          "/" + index.getKey(),
          "{\"settings\":{\"number_of_shards\":"
              + index.getValue()
              + "},\"mappings\":{\"properties\":{\"k\":{\"type\":\"keyword\"},"
              + "\"v\":{\"type\":\"dense_vector\",\"dims\":2,\"similarity\":\"l2_norm\"}}}}");
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 24; i++) {
        String words = i % 6 == 0 ? "rare word" : i % 2 == 0 ? "common word here" : "common";
        lines.append("{\"index\":{\"_id\":\"" + i + "\",\"routing\":\"" + i % 5 + "\"}}\n");
        lines.append("{\"t\":\"" + words + "\",\"k\":\"" + i % 4 + "\",\"v\":[" + i + ",1]}\n");
      }
      node.ok("POST", "/" + index.getKey() + "/_bulk?refresh=true", lines.toString());
    }
  }

  private static Map<String, String> scores(JsonNode hits) {
    Map<String, String> scores = new TreeMap<>();
    hits.forEach(hit -> scores.put(hit.path("_id").asText(), hit.path("_score").asText()));
    return scores;
  }

  private static Map<String, String> scores(String target, String body) throws Exception {
    return scores(node.ok("POST", target, body).at("/hits/hits"));
  }

  @Test
  void shardsScoreByTheStatisticsOfAll() throws Exception {
    String body = "{\"size\":30," + QUERY + "}";
    Map<String, String> alone = scores("/one/_search", body);

    assertThat(alone).hasSize(24);
    assertThat(scores("/three/_search", body)).isNotEqualTo(alone);
    assertThat(scores("/three/_search?search_type=dfs_query_then_fetch", body)).isEqualTo(alone);
    assertThat(
            node.call("POST", "/three/_search?search_type=dfs_query_then_fetch", body)
                .headers()
                .firstValue("Warning"))
        .isEmpty();
  }

  @Test
  void soDoWhatRescoresAndTheHitsOfGroups() throws Exception {
    String rescored =
        "{\"size\":30,\"query\":{\"match_all\":{}},\"rescore\":{\"window_size\":30,\"query\":{"
            + "\"rescore_query\":{\"match\":{\"t\":\"rare common\"}}}}}";
    String grouped =
        "{\"size\":4,"
            + QUERY
            + ",\"sort\":[{\"k\":\"asc\"}],\"collapse\":{\"field\":\"k\",\"inner_hits\":{\"name\":\"i\","
            + "\"size\":9,\"sort\":[\"_score\"]}}}";
    String dfs = "?search_type=dfs_query_then_fetch";

    assertThat(scores("/three/_search" + dfs, rescored))
        .isEqualTo(scores("/one/_search", rescored));
    JsonNode alone = node.ok("POST", "/one/_search", grouped);
    JsonNode all = node.ok("POST", "/three/_search" + dfs, grouped);
    for (int i = 0; i < 4; i++) {
      String inside = "/hits/hits/" + i + "/inner_hits/i/hits/hits";
      assertThat(scores(all.at(inside))).isEqualTo(scores(alone.at(inside))).hasSize(6);
    }
  }

  @Test
  void soDoPagesPointsInTimeAndSearchesOfSeveral() throws Exception {
    String body = "{\"size\":12," + QUERY + "}";
    Map<String, String> alone = scores("/one/_search", "{\"size\":30," + QUERY + "}");

    JsonNode first =
        node.ok("POST", "/three/_search?scroll=1m&search_type=dfs_query_then_fetch", body);
    JsonNode second =
        node.ok(
            "POST",
            "/_search/scroll",
            "{\"scroll_id\":\"" + first.path("_scroll_id").asText() + "\"}");
    Map<String, String> pages = scores(first.at("/hits/hits"));
    pages.putAll(scores(second.at("/hits/hits")));
    assertThat(pages).isEqualTo(alone);

    String id = node.ok("POST", "/three/_pit?keep_alive=1m", "").path("id").asText();
    assertThat(
            scores(
                "/_search?search_type=dfs_query_then_fetch",
                "{\"size\":30,\"pit\":{\"id\":\"" + id + "\"}," + QUERY + "}"))
        .isEqualTo(alone);

    String line = "{\"size\":30," + QUERY + "}\n";
    JsonNode several =
        node.ok(
            "POST",
            "/three/_msearch",
            "{\"search_type\":\"dfs_query_then_fetch\"}\n" + line + "{}\n" + line);
    assertThat(scores(several.at("/responses/0/hits/hits"))).isEqualTo(alone);
    assertThat(scores(several.at("/responses/1/hits/hits"))).isNotEqualTo(alone);
  }

  @Test
  void aQueryBesideTheNearestIsScoredLikeThat() throws Exception {
    String body =
        "{\"size\":30,"
            + QUERY
            + ",\"knn\":{\"field\":\"v\",\"query_vector\":[3,1],\"k\":5,\"num_candidates\":30}}";

    Map<String, String> alone = scores("/one/_search", body);
    Map<String, String> all = scores("/three/_search", body);
    assertThat(all).containsOnlyKeys(alone.keySet());
    // Vectors are quantised by segment.
    all.forEach((id, score) ->
        assertThat(Double.parseDouble(score))
            .isCloseTo(Double.parseDouble(alone.get(id)), within(1e-4)));
  }

  @Test
  void statisticsOfClientsAreRefused() throws Exception {
    String forged = "{" + QUERY + ",\"_statistics\":{\"asked\":true}}";

    assertThat(node.refused(400, "POST", "/three/_search", forged).at("/error/reason").asText())
        .contains("_statistics");
    assertThat(
            node.refused(400, "POST", "/three/_search?scroll=1m", forged)
                .at("/error/reason")
                .asText())
        .contains("_statistics");
  }
}
