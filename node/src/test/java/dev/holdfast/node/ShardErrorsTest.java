package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How the error of a search that failed on all shards says why.
final class ShardErrorsTest {
  @Test
  void nameTheIndexOrTheirOwnCause(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", "{\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}");

      JsonNode query =
          node.refused(
              400, "POST", "/books/_search", "{\"query\":{\"term\":{\"n\":\"many\"}}}");
      JsonNode window = node.refused(400, "POST", "/books/_search", "{\"size\":10001}");

      assertThat(query.at("/error/root_cause/0/type").asText()).isEqualTo("query_shard_exception");
      assertThat(query.at("/error/root_cause/0/index").asText()).isEqualTo("books");
      assertThat(query.at("/error/caused_by").isMissingNode()).isTrue();
      assertThat(query.at("/error/failed_shards/0/reason/caused_by/type").asText())
          .isEqualTo("number_format_exception");
      assertThat(window.at("/error/caused_by/type").asText())
          .isEqualTo("illegal_argument_exception");
      assertThat(window.at("/error/caused_by/caused_by/reason"))
          .isEqualTo(window.at("/error/caused_by/reason"));
    }
  }
}
