package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `_mget` holds the sources of all of its documents until it answers, whatever the answer shows.
final class MultiGetMemoryTest {
  private static final int SOURCE_BYTES = 100_000;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void sourcesAreHeldWithinTheBudget() throws Exception {
    node.ok(
        "PUT",
        "/pages/_doc/1",
        "{\"title\":\"one\",\"text\":\"" + "x ".repeat(SOURCE_BYTES / 2) + "\"}");
    limit("\"8mb\"");

    HttpResponse<String> many = get(300);
    HttpResponse<String> few = get(20);

    limit("null");
    assertThat(many.statusCode()).as(many.body()).isEqualTo(429);
    assertThat(Json.parse(many.body()).at("/error/type").asText())
        .isEqualTo("circuit_breaking_exception");
    assertThat(few.statusCode()).isEqualTo(200);
    assertThat(Json.parse(few.body()).at("/docs/19/_source/title").asText()).isEqualTo("one");
    assertThat(get(300).statusCode()).as("all was given back").isEqualTo(200);
  }

  @Test
  void answersComeInTheOrderThatWasAskedAndFailuresAreTheirOwn() throws Exception {
    StringBuilder docs = new StringBuilder();
    for (int id = 0; id < 100; id++) {
      node.ok("PUT", "/numbers/_doc/" + id, "{\"n\":" + id + "}");
      docs.append(id == 0 ? "" : ",")
          .append("{\"_index\":\"" + (id == 50 ? "nowhere" : "numbers") + "\",\"_id\":\"" + id)
          .append("\"}");
    }

    HttpResponse<String> answer = node.call("POST", "/_mget", "{\"docs\":[" + docs + "]}");

    assertThat(answer.statusCode()).isEqualTo(200);
    for (int id = 0; id < 100; id++) {
      var one = Json.parse(answer.body()).path("docs").get(id);
      assertThat(one.path("_id").asText()).isEqualTo(Integer.toString(id));
      assertThat(one.has("error")).as(one.toString()).isEqualTo(id == 50);
    }
  }

  /// Names of the URL are one list for all: one for each would be gigabytes.
  @Test
  void manyIdsAndManyStoredFieldsAreRead() throws Exception {
    node.ok("PUT", "/numbers/_doc/1", "{\"n\":1}");
    String names = "ab,".repeat(8_000) + "n";
    String ids = "\"none\",".repeat(20_000) + "\"1\"";

    HttpResponse<String> answer =
        node.call(
            "POST",
            "/numbers/_mget?stored_fields=" + names + "&filter_path=docs.found",
            "{\"ids\":[" + ids + "]}");

    assertThat(answer.statusCode()).as("%.300s", answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("{\"found\":true}");
  }

  private static HttpResponse<String> get(int documents) throws Exception {
    String ids = "\"1\",".repeat(documents - 1) + "\"1\"";
    return node.call("POST", "/pages/_mget?_source_includes=title", "{\"ids\":[" + ids + "]}");
  }

  private static void limit(String value) throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":" + value + "}}");
  }
}
