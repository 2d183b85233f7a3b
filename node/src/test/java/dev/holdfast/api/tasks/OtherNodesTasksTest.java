package dev.holdfast.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Tasks of one node as clients see them who ask another: they go from node to node.
@Timeout(60)
final class OtherNodesTasksTest {
  private static final String SLOWLY =
      "/_reindex?wait_for_completion=false&requests_per_second=1&scroll=1m";
  private static final String BODY =
      "{\"source\":{\"index\":\"a\",\"size\":1},\"dest\":{\"index\":\"b\"}}";

  @RegisterExtension
  @Order(1)
  static final RunningNode node = RunningNode.withStore(Duration.ofMillis(200));

  @RegisterExtension
  @Order(2)
  static final RunningNode other = node.beside(Duration.ofMillis(200));

  @BeforeAll
  static void fill() throws Exception {
    node.fill("a", 100);
  }

  @Test
  void areListedByAllAndEndedByAny() throws Exception {
    String id = node.ok("POST", SLOWLY, BODY).path("task").asText();
    String list = "/_tasks?actions=*reindex&group_by=";

    JsonNode byNode = other.ok("GET", list + "nodes", "");
    JsonNode flat = other.ok("GET", list + "none", "");
    JsonNode here = other.ok("GET", list + "none&nodes=_local", "");
    JsonNode there = node.ok("GET", list + "none&nodes=_local", "");
    JsonNode running = other.ok("GET", "/_tasks/" + id, "");
    JsonNode reindex = other.ok("GET", "/_reindex/" + id, "");
    JsonNode reindexing = other.ok("GET", "/_reindex", "");
    String table = "/_cat/tasks?actions=*reindex&h=task_id,node&nodes=";
    String tableOfAll = other.get(table + "_all").body();
    String tableOfThis = other.get(table + "_local").body();
    JsonNode paced = other.ok("POST", "/_reindex/" + id + "/_rethrottle?requests_per_second=2", "");
    JsonNode cancelled = other.ok("POST", "/_tasks/" + id + "/_cancel", "");
    JsonNode ended = other.ok("GET", "/_tasks/" + id + "?wait_for_completion=true", "");

    String name = id.substring(0, id.lastIndexOf(':'));
    assertThat(byNode.at("/nodes/" + name + "/tasks").has(id)).as(byNode.toString()).isTrue();
    assertThat(byNode.has("node_failures")).as(byNode.toString()).isFalse();
    assertThat(flat.path("tasks")).hasSize(1);
    assertThat(here.path("tasks")).isEmpty();
    assertThat(there.path("tasks")).hasSize(1);
    assertThat(running.path("completed").asBoolean(true)).isFalse();
    assertThat(running.at("/task/action").asText()).endsWith("reindex");
    assertThat(reindex.path("id").asText()).isEqualTo(id);
    assertThat(tableOfAll).startsWith(id + " ").hasLineCount(1);
    assertThat(tableOfThis).isEmpty();
    assertThat(reindexing.path("reindex").findValuesAsText("id")).containsExactly(id);
    assertThat(paced.at("/nodes/" + name + "/tasks").has(id)).isTrue();
    assertThat(cancelled.at("/nodes/" + name + "/tasks").has(id)).isTrue();
    assertThat(ended.path("completed").asBoolean()).isTrue();
  }

  @Test
  void areEndedByTheirActionsEverywhere() throws Exception {
    String id = node.ok("POST", SLOWLY, BODY).path("task").asText();

    JsonNode cancelled = other.ok("POST", "/_tasks/_cancel?actions=*reindex&group_by=none", "");
    JsonNode ended = other.ok("GET", "/_tasks/" + id + "?wait_for_completion=true", "");

    assertThat(cancelled.path("tasks").toString()).contains("reindex");
    assertThat(ended.path("completed").asBoolean()).isTrue();
  }

  @Test
  void areNotFoundWhereThereAreNone() throws Exception {
    String id = node.ok("POST", SLOWLY, BODY).path("task").asText();
    JsonNode _ = node.ok("POST", "/_tasks/" + id + "/_cancel?wait_for_completion=true", "");
    String gone = id.substring(0, id.lastIndexOf(':') + 1) + "999999";

    JsonNode missing = other.refused(404, "GET", "/_tasks/" + gone, "");

    assertThat(missing.at("/error/type").asText()).isEqualTo("resource_not_found_exception");
    assertThat(missing.at("/error/reason").asText()).contains("isn't running");
    other.refused(404, "GET", "/_tasks/nobody:1", "");
  }
}
