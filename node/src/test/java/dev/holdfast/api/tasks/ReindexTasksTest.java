package dev.holdfast.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `_reindex/{task_id}`: what became of reindexing in the background.
@Timeout(60)
final class ReindexTasksTest {
  private static final String SLOWLY =
      "/_reindex?wait_for_completion=false&requests_per_second=1&scroll=1m";
  private static final String BODY =
      "{\"source\":{\"index\":\"a\",\"size\":1},\"dest\":{\"index\":\"b\"}}";

  @Test
  void tellsOfOneThatRunsAndEndsIt(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.fill("a", 100);
      String id = node.ok("POST", SLOWLY, BODY).path("task").asText();

      JsonNode running = node.json("/_reindex/" + id);
      JsonNode all = node.json("/_reindex");
      JsonNode cancelled = node.ok("POST", "/_reindex/" + id + "/_cancel", "");
      JsonNode again = node.refused(404, "POST", "/_reindex/" + id + "/_cancel", "");

      assertThat(running.path("completed").asBoolean(true)).isFalse();
      assertThat(running.path("id").asText()).isEqualTo(id);
      assertThat(running.path("status").path("total").isNumber()).isTrue();
      assertThat(all.at("/reindex/0/id").asText()).isEqualTo(id);
      assertThat(all.at("/reindex/0").has("status")).as("not detailed").isFalse();
      assertThat(cancelled.path("completed").asBoolean()).isTrue();
      assertThat(cancelled.path("cancelled").asBoolean()).isTrue();
      assertThat(again.at("/error/reason").asText()).contains("either not found or completed");
      assertThat(node.json("/_reindex").path("reindex")).isEmpty();
    }
  }

  @Test
  void tellsWhatCameOfOneThatEnded(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.fill("a", 3);
      String id =
          node.ok("POST", "/_reindex?wait_for_completion=false", BODY).path("task").asText();

      String awaited = id + "?wait_for_completion=true&timeout=1m";
      JsonNode ended = node.ok("GET", "/_reindex/" + awaited, "");

      assertThat(ended.path("completed").asBoolean()).isTrue();
      for (String api : List.of("/_reindex/", "/_tasks/")) {
        assertThat(node.call("GET", api + awaited, "").headers().allValues("Warning"))
            .as("whether a client comes before the end or after it is chance")
            .isEmpty();
      }
      assertThat(ended.at("/response/created").asInt()).isEqualTo(3);
    }
  }

  @Test
  void knowsNoOtherTasks(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.fill("a", 3);
      String other =
          node.ok("POST", "/a/_update_by_query?wait_for_completion=false", "")
              .path("task")
              .asText();
      JsonNode _ = node.ok("GET", "/_tasks/" + other + "?wait_for_completion=true", "");

      JsonNode refused = node.refused(404, "GET", "/_reindex/" + other, "");

      assertThat(refused.at("/error/reason").asText())
          .isEqualTo("Reindex operation [" + other + "] not found");
    }
  }
}
