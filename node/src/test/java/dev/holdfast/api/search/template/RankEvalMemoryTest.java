package dev.holdfast.api.search.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `_rank_eval` shows the hits of all of its requests, which a small request may ask thousands of.
final class RankEvalMemoryTest {
  private static final int DOCUMENTS = 1_000;
  private static final int REQUESTS = 40;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void hitsOfManyRequestsAskForMemory() throws Exception {
    node.fill("books", DOCUMENTS);
    limit("\"8mb\"");

    HttpResponse<String> many = node.call("POST", "/books/_rank_eval", request(REQUESTS));
    HttpResponse<String> few = node.call("POST", "/books/_rank_eval", request(1));

    limit("null");
    assertThat(few.statusCode()).as(few.body()).isEqualTo(200);
    assertThat(Json.parse(few.body()).path("failures")).isEmpty();
    // What was answered before the memory was gone finds none for its bytes.
    assertThat(many.statusCode()).as(many.body().substring(0, 300)).isEqualTo(429);
    assertThat(Json.parse(many.body()).at("/error/type").asText())
        .isEqualTo("circuit_breaking_exception");
  }

  private static void limit(String value) throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":" + value + "}}");
  }

  private static String request(int requests) {
    StringBuilder body = new StringBuilder("{\"requests\":[");
    for (int i = 0; i < requests; i++) {
      body.append(i == 0 ? "" : ",")
          .append("{\"id\":\"q")
          .append(i)
          .append("\",\"request\":{\"query\":{\"match_all\":{}}},\"ratings\":[]}");
    }
    return body.append("],\"metric\":{\"precision\":{\"k\":1000}}}").toString();
  }
}
