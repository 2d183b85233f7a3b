package dev.holdfast.api.indices.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What each block of an index refuses and lets pass, as Elasticsearch 9.5.3 does.
final class BlockedRequestsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          read      | GET    | /_validate/query        |
          read      | GET    | /_field_caps?fields=*   |
          read      | GET    | /_analyze               | {"text":"x"}
          read      | GET    | /_explain/1             | {"query":{"match_all":{}}}
          read      | GET    | /_termvectors/1         |
          read      | GET    | /_termvectors           | {"doc":{"n":1}}
          read_only | POST   | /_forcemerge            |
          read_only | POST   | /_cache/clear           |
          read_only | PUT    | /_block/write           |
          read_only | DELETE | /_block/write           |
          read_only | PUT    | /_block/read            |
          read_only | PUT    | /_settings              | {"index.blocks.write":true}
          metadata  | POST   | /_forcemerge            |
          metadata  | PUT    | /_block/write           |
          metadata  | PUT    | /_settings              | {"index.blocks.write":null}
          metadata  | PUT    | /_settings              | {"index.blocks.metadata":null,"index.blocks.write":null}
          """)
  void areRefused(String block, String method, String path, String body) throws Exception {
    blocked(block);
    try {
      JsonNode refused = node.refused(403, method, "/books" + path, body == null ? "" : body);

      assertThat(refused.at("/error/type").asText()).isEqualTo("cluster_block_exception");
      assertThat(refused.at("/error/reason").asText()).startsWith("index [books] blocked by: [");
    } finally {
      unblocked(block);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          read_only              | PUT    | /_block/read_only | ''
          read_only              | DELETE | /_block/read_only | ''
          read_only              | PUT    | /_settings        | {"index.blocks.read_only":null,"index.priority":2}
          metadata               | PUT    | /_settings        | {"index.blocks.metadata":false}
          metadata               | DELETE | /_block/metadata  | ''
          read_only_allow_delete | PUT    | /_settings        | {"index.priority":2}
          read_only_allow_delete | PUT    | /_mapping         | {"properties":{"a":{"type":"long"}}}
          read_only_allow_delete | PUT    | /_alias/shelf     | ''
          read_only_allow_delete | POST   | /_forcemerge      | ''
          read_only_allow_delete | PUT    | /_block/write     | ''
          read_only_allow_delete | POST   | /_close           | ''
          """)
  void areTaken(String block, String method, String path, String body) throws Exception {
    blocked(block);
    try {
      JsonNode _ = node.ok(method, "/books" + path, body);
    } finally {
      unblocked(block);
    }
  }

  @Test
  void aDiskThatIsFullBlocksDocumentsOnly() throws Exception {
    blocked("read_only_allow_delete");
    try {
      JsonNode levels =
          node.ok("GET", "/_cluster/state/blocks/books", "").at("/blocks/indices/books/12/levels");

      assertThat(levels.toString()).isEqualTo("[\"write\"]");
    } finally {
      unblocked("read_only_allow_delete");
    }
  }

  private static void blocked(String block) throws Exception {
    JsonNode _ = node.ok("PUT", "/books/_doc/1?refresh=true", "{\"n\":1}");
    JsonNode _ = node.ok("PUT", "/books/_settings", "{\"index.blocks." + block + "\":true}");
  }

  private static void unblocked(String block) throws Exception {
    JsonNode _ = node.ok("PUT", "/books/_settings", "{\"index.blocks." + block + "\":null}");
    JsonNode _ = node.ok("DELETE", "/books", "");
  }
}
