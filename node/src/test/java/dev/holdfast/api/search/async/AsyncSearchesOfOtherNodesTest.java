package dev.holdfast.api.search.async;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Async searches of one node as clients see them who ask another: they go from node to node.
final class AsyncSearchesOfOtherNodesTest {
  @RegisterExtension
  @Order(1)
  static final RunningNode node = RunningNode.withStore(Duration.ofMillis(200));

  @RegisterExtension
  @Order(2)
  static final RunningNode other = node.beside(Duration.ofMillis(200));

  @Test
  void areAnsweredByAnyNode() throws Exception {
    JsonNode _ = node.ok("PUT", "/books/_doc/1?refresh=true", "{\"exact\":1.10}");
    JsonNode kept =
        node.ok(
            "POST",
            "/books/_async_search?keep_on_completion=true&wait_for_completion_timeout=5m",
            "{\"aggs\":{\"n\":{\"max\":{\"field\":\"exact\"}}}}");
    String id = kept.path("id").asText();

    HttpResponse<String> there =
        other.get("/_async_search/" + id + "?wait_for_completion_timeout=1m&typed_keys");
    JsonNode status = other.ok("GET", "/_async_search/status/" + id, "");
    JsonNode deleted = other.ok("DELETE", "/_async_search/" + id, "");

    assertThat(there.statusCode()).isEqualTo(200);
    assertThat(there.body()).contains("\"exact\":1.10").contains("\"id\":\"" + id + "\"");
    assertThat(there.headers().firstValue("X-Elasticsearch-Async-Is-Running")).hasValue("?0");
    assertThat(status.at("/_shards/total").asInt()).isPositive();
    assertThat(deleted.path("acknowledged").asBoolean()).isTrue();
    for (RunningNode asked : new RunningNode[] {node, other}) {
      assertThat(asked.refused(404, "GET", "/_async_search/" + id, "").at("/error/type").asText())
          .isEqualTo("resource_not_found_exception");
    }
    node.refused(404, "GET", "/_async_search/nonsense", "");
  }
}
