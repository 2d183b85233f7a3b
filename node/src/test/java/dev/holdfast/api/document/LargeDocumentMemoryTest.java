package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Lucene holds all words of one document before it can write any of them down.
final class LargeDocumentMemoryTest {
  private static final int LARGE_CHARACTERS = 4_000_000;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void aDocumentWhoseWordsMemoryHasNoRoomForIsRefusedAlone() throws Exception {
    node.ok("PUT", "/large", "{\"mappings\":{\"properties\":{\"t\":{\"type\":\"text\"}}}}");
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"24mb\"}}");
    String large = "{\"t\":\"" + "word ".repeat(LARGE_CHARACTERS / 5) + "\"}";

    HttpResponse<String> refused =
        node.call(
            "POST",
            "/large/_bulk",
            "{\"index\":{\"_id\":\"1\"}}\n{\"t\":\"small\"}\n{\"index\":{\"_id\":\"2\"}}\n"
                + large
                + "\n{\"index\":{\"_id\":\"3\"}}\n{\"t\":\"small\"}\n");
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");
    HttpResponse<String> taken = node.call("PUT", "/large/_doc/2", large);

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(200);
    JsonNode items = Json.parse(refused.body()).path("items");
    assertThat(items.findValuesAsText("status")).containsExactly("201", "429", "201");
    assertThat(items.at("/1/index/error/type").asText()).isEqualTo("circuit_breaking_exception");
    assertThat(taken.statusCode()).isEqualTo(201);
  }
}
