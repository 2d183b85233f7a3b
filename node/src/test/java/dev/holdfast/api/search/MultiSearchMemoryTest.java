package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `_msearch` holds the hits and buckets of all of its searches until it answers.
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
    limit("\"16mb\"");

    HttpResponse<String> few = search(3);
    HttpResponse<String> many = search(50);

    limit("null");
    assertThat(few.statusCode()).isEqualTo(200);
    assertThat(Json.parse(few.body()).path("responses").findValuesAsText("status"))
        .containsOnly("200");
    assertThat(many.statusCode()).as(many.body()).isEqualTo(200);
    JsonNode responses = Json.parse(many.body()).path("responses");
    assertThat(responses).hasSize(50);
    assertThat(responses.findValuesAsText("status")).contains("200", "429");
  }

  @Test
  void bucketsOfAllSearchesAreHeldWithinTheBudget() throws Exception {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      words.append("{\"index\":{}}\n{\"w\":\"w").append(i).append("\"}\n");
    }
    node.ok("PUT", "/words", "{\"mappings\":{\"properties\":{\"w\":{\"type\":\"keyword\"}}}}");
    node.ok("POST", "/words/_bulk?refresh=true", words.toString());
    limit("\"16mb\"");

    HttpResponse<String> few = aggregate(3);
    HttpResponse<String> many = aggregate(300);

    limit("null");
    assertThat(Json.parse(few.body()).path("responses").findValuesAsText("status"))
        .containsOnly("200");
    assertThat(Json.parse(many.body()).path("responses").findValuesAsText("status"))
        .hasSize(300)
        .contains("200", "429");
  }

  private static HttpResponse<String> aggregate(int searches) throws Exception {
    String search = "{\"size\":0,\"aggs\":{\"w\":{\"terms\":{\"field\":\"w\",\"size\":2000}}}}";
    return node.call(
        "POST",
        "/words/_msearch?max_concurrent_searches=1&filter_path=responses.status",
        ("{}\n" + search + "\n").repeat(searches));
  }

  /// Before any of them is read: a list of short texts takes twenty times its letters.
  @Test
  void searchesAreReadWithinTheBudget() throws Exception {
    String search = "{\"query\":{\"terms\":{\"a\":[" + "\"a\",".repeat(400_000) + "\"a\"]}}}";
    limit("\"16mb\"");

    HttpResponse<String> refused = node.call("POST", "/_msearch", "{}\n" + search + "\n");
    HttpResponse<String> single = node.call("POST", "/_search", search);

    limit("null");
    assertThat(refused.statusCode()).as("%.300s", refused.body()).isEqualTo(429);
    assertThat(single.statusCode()).as("%.300s", single.body()).isEqualTo(429);
    assertThat(node.call("POST", "/_search", search).statusCode()).isNotEqualTo(429);
  }

  private static void limit(String value) throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":" + value + "}}");
  }

  private static HttpResponse<String> search(int searches) throws Exception {
    return node.call(
        "POST",
        "/pages/_msearch?max_concurrent_searches=1&filter_path=responses.status,responses.error.type",
        "{}\n{\"size\":10}\n".repeat(searches));
  }
}
