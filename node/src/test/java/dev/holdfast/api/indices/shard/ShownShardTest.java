package dev.holdfast.api.indices.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Answers that say which shard of which node they come from.
final class ShownShardTest {
  private static final String SEARCH =
      """
      {"explain":true,"profile":true,"aggs":{
        "with":{"top_hits":{"explain":true}},"without":{"top_hits":{}}}}
      """;

  @Test
  void explainedHitsAndProfilesNameTheirShard(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      // given
      node.ok("PUT", "/books", "{\"settings\":{\"number_of_shards\":1}}");
      node.ok("PUT", "/books/_doc/1?refresh=true", "{\"t\":\"a\"}");
      String id = node.json("/_nodes").path("nodes").fieldNames().next();

      // when
      JsonNode found = node.ok("POST", "/books/_search", SEARCH);

      // then
      JsonNode hit = found.at("/hits/hits/0");
      assertThat(hit.path("_shard").asText()).isEqualTo("[books][0]");
      assertThat(hit.path("_node").asText()).isEqualTo(id);
      assertThat(hit.at("/_explanation/value").asDouble()).isEqualTo(1);
      assertThat(found.at("/aggregations/with/hits/hits/0/_shard").asText())
          .isEqualTo("[books][0]");
      assertThat(found.at("/aggregations/with/hits/hits/0/_node").asText()).isEqualTo(id);
      assertThat(found.at("/aggregations/without/hits/hits/0").has("_shard")).isFalse();
      JsonNode profile = found.at("/profile/shards/0");
      assertThat(profile.path("id").asText()).isEqualTo("[" + id + "][books][0]");
      assertThat(profile.path("node_id").asText()).isEqualTo(id);
      assertThat(profile.path("shard_id").asInt(-1)).isZero();
      assertThat(profile.path("index").asText()).isEqualTo("books");
      assertThat(profile.path("cluster").asText()).isEqualTo("(local)");
    }
  }
}
