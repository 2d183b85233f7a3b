package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `_msearch` holds the hits of all of its searches until it answers.
final class MultiSearchMemoryTest {
  private static final int SOURCE_BYTES = 100_000;
  private static final int DOCUMENTS = 10;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void hitsOfAllSearchesAreHeldWithinTheBudget() throws Exception {
    for (int id = 0; id < DOCUMENTS; id++) {
      node.ok(
          "PUT",
          "/pages/_doc/" + id + "?refresh=true",
          "{\"text\":\"" + "x ".repeat(SOURCE_BYTES / 2) + "\"}");
    }
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"16mb\"}}");

    HttpResponse<String> few = search(3);
    HttpResponse<String> many = search(50);

    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");
    assertThat(few.statusCode()).isEqualTo(200);
    assertThat(Json.parse(few.body()).path("responses").findValuesAsText("status"))
        .containsOnly("200");
    assertThat(many.statusCode()).as(many.body()).isEqualTo(200);
    JsonNode responses = Json.parse(many.body()).path("responses");
    assertThat(responses).hasSize(50);
    assertThat(responses.findValuesAsText("status")).contains("200", "429");
  }

  private static HttpResponse<String> search(int searches) throws Exception {
    return node.call(
        "POST",
        "/pages/_msearch?max_concurrent_searches=1&filter_path=responses.status,responses.error.type",
        "{}\n{\"size\":10}\n".repeat(searches));
  }
}
