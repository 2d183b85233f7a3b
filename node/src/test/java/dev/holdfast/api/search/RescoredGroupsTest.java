package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Searches that collapse and rescore.
final class RescoredGroupsTest {
  private static final String QUERY =
      """
      {"_source":false,"collapse":{"field":"g"},
       "query":{"bool":{"must":{"match_all":{}},
         "should":{"constant_score":{"filter":{"term":{"n":2}},"boost":3}}}},
       "rescore":{"window_size":%d,"query":{"rescore_query":
         {"constant_score":{"filter":{"terms":{"n":[1,3]}},"boost":7}}}},"size":%d}
      """;

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

  /// Ids and scores of the hits, in order.
  private static String shown(JsonNode found) {
    StringBuilder shown = new StringBuilder();
    for (JsonNode hit : found.at("/hits/hits")) {
      shown.append(hit.path("_id").asText()).append('=').append(hit.path("_score")).append(' ');
    }
    return shown.toString().strip();
  }

  @Test
  void theDocumentsThatStandForGroupsAreRescored(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder, 1)) {
      // The best of group a is 2, which the second query does not find, though it finds 1.
      JsonNode all = node.ok("POST", "/books/_search", QUERY.formatted(10, 10));
      JsonNode best = node.ok("POST", "/books/_search", QUERY.formatted(10, 1));
      JsonNode narrow = node.ok("POST", "/books/_search", QUERY.formatted(1, 10));

      assertThat(shown(all)).isEqualTo("3=8.0 2=4.0");
      assertThat(all.at("/hits/max_score").asDouble()).isEqualTo(8);
      assertThat(shown(best)).isEqualTo("3=8.0");
      assertThat(shown(narrow)).isEqualTo("2=4.0 3=1.0");
    }
  }

  @Test
  void shardsMergeByTheNewScores(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder, 3)) {
      JsonNode best = node.ok("POST", "/books/_search", QUERY.formatted(10, 1));

      assertThat(best.at("/hits/hits/0/_score").asDouble()).isEqualTo(8);
    }
  }
}
