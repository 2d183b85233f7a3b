package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What requests for updates may say, and where.
final class UpdateRequestsTest {
  @Test
  void theBodyMaySayWhichVersionItChanges(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      // given
      JsonNode first = node.ok("PUT", "/books/_doc/1", "{\"n\":1}");
      long seqNo = first.path("_seq_no").asLong();
      String changed = "{\"doc\":{\"n\":2},\"if_seq_no\":%d,\"if_primary_term\":1}";

      // when
      JsonNode late = node.refused(409, "POST", "/books/_update/1", changed.formatted(seqNo + 9));
      JsonNode half = node.refused(400, "POST", "/books/_update/1", "{\"doc\":{},\"if_seq_no\":1}");
      JsonNode again =
          node.refused(
              400, "POST", "/books/_update/1?retry_on_conflict=2", changed.formatted(seqNo));
      JsonNode inBulk =
          node.ok(
              "POST",
              "/books/_bulk",
              "{\"update\":{\"_id\":\"1\"}}\n" + changed.formatted(seqNo + 9) + "\n");
      JsonNode done = node.ok("POST", "/books/_update/1", changed.formatted(seqNo));

      // then
      assertThat(late.at("/error/type").asText()).isEqualTo("version_conflict_engine_exception");
      assertThat(half.at("/error/reason").asText())
          .isEqualTo("Validation Failed: 1: ifSeqNo is set, but primary term is [0];");
      assertThat(again.at("/error/reason").asText()).contains("can not be retried");
      assertThat(inBulk.at("/items/0/update/status").asInt()).isEqualTo(409);
      assertThat(done.path("result").asText()).isEqualTo("updated");
    }
  }

  @Test
  void whatIsNotThereHasNoVersion(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      JsonNode _ = node.ok("PUT", "/books/_doc/1", "{\"n\":1}");
      String path = "/books/_update/1?if_seq_no=0&if_primary_term=1";

      JsonNode upsert = node.refused(400, "POST", path, "{\"doc\":{\"n\":2},\"upsert\":{\"n\":3}}");
      JsonNode asUpsert =
          node.refused(
              400,
              "POST",
              "/books/_update/1",
              "{\"doc\":{},\"doc_as_upsert\":true,\"if_seq_no\":0,\"if_primary_term\":1}");

      assertThat(upsert.at("/error/reason").asText()).contains("upsert requests don't support");
      assertThat(asUpsert.at("/error/reason").asText()).contains("can not be used with upsert");
    }
  }

  @Test
  void theUrlMayMakeTheDocumentAnUpsert(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      JsonNode made = node.ok("POST", "/books/_update/1?doc_as_upsert=true", "{\"doc\":{\"n\":1}}");
      JsonNode missing =
          node.refused(
              404,
              "POST",
              "/books/_update/2?doc_as_upsert=true",
              "{\"doc\":{\"n\":1},\"doc_as_upsert\":false}");

      assertThat(made.path("result").asText()).isEqualTo("created");
      assertThat(missing.at("/error/type").asText()).isEqualTo("document_missing_exception");
    }
  }

  @Test
  void aClosedIndexBlocksUpdates(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", "");
      node.ok("POST", "/books/_close", "");

      JsonNode update = node.refused(403, "POST", "/books/_update/1", "{\"doc\":{}}");
      JsonNode write = node.refused(400, "PUT", "/books/_doc/1", "{}");

      assertThat(update.at("/error/type").asText()).isEqualTo("cluster_block_exception");
      assertThat(update.at("/error/reason").asText())
          .isEqualTo("index [books] blocked by: [FORBIDDEN/4/index closed];");
      assertThat(write.at("/error/type").asText()).isEqualTo("index_closed_exception");
    }
  }
}
