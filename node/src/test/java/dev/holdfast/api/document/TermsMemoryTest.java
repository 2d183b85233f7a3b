package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Terms of fields and of documents, of which a small request may ask for very many.
final class TermsMemoryTest {
  private static final int TERM_BYTES = 20_000;
  private static final int TERMS = 500;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @AfterEach
  void unlimited() throws Exception {
    limit("null");
  }

  @Test
  void longTermsAreListedWithinTheBudget() throws Exception {
    node.ok("PUT", "/long", "{\"mappings\":{\"properties\":{\"k\":{\"type\":\"keyword\"}}}}");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < TERMS; i++) {
      lines.append("{\"index\":{}}\n{\"k\":\"").append(i).append("x".repeat(TERM_BYTES));
      lines.append("\"}\n");
    }
    node.ok("POST", "/long/_bulk?refresh=true", lines.toString());
    limit("\"4mb\"");

    HttpResponse<String> all = terms(10_000);
    HttpResponse<String> few = terms(10);

    assertThat(all.statusCode()).as("%.300s", all.body()).isEqualTo(429);
    assertThat(Json.parse(few.body()).path("terms")).hasSize(10);
  }

  private static HttpResponse<String> terms(int size) throws Exception {
    return node.call("POST", "/long/_terms_enum", "{\"field\":\"k\",\"size\":" + size + "}");
  }

  /// What is asked of all documents is not copied for each of them: that would be gigabytes.
  @Test
  void whatIsAskedOfManyDocumentsIsHeldOnce() throws Exception {
    node.ok("PUT", "/pages/_doc/1?refresh=true", "{\"text\":\"one two\"}");
    String analyzers =
        IntStream.range(0, 3_000)
            .mapToObj(i -> "\"field" + i + "\":\"standard\"")
            .collect(Collectors.joining(","));
    String ids = "\"none\",".repeat(20_000) + "\"1\"";

    HttpResponse<String> answer =
        node.call(
            "POST",
            "/pages/_mtermvectors?filter_path=docs.found",
            "{\"ids\":[" + ids + "],\"parameters\":{\"per_field_analyzer\":{" + analyzers + "}}}");

    assertThat(answer.statusCode()).as("%.300s", answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("{\"found\":true}");
  }

  private static void limit(String value) throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":" + value + "}}");
  }
}
