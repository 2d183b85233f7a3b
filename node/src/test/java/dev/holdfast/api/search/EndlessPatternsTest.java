package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Regular expressions of a mapping or a request that would never be done.
final class EndlessPatternsTest {
  private static final String ENDLESS = "(.*)(.*)(.*)(.*)(.*)x";
  private static final String LONG = "a".repeat(3_000);

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void analyzeIsRefused() throws Exception {
    HttpResponse<String> answer =
        node.call(
            "POST",
            "/_analyze",
            "{\"tokenizer\":\"keyword\",\"char_filter\":[{\"type\":\"pattern_replace\",\"pattern\":\""
                + ENDLESS
                + "\",\"replacement\":\"\"}],\"text\":\""
                + LONG
                + "\"}");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains("it takes too long");
  }

  @Test
  void aDocumentIsRefusedAlone() throws Exception {
    node.ok(
        "PUT",
        "/slow",
        "{\"settings\":{\"analysis\":{\"tokenizer\":{\"t\":{\"type\":\"pattern\",\"pattern\":\""
            + ENDLESS
            + "\"}},\"analyzer\":{\"a\":{\"type\":\"custom\",\"tokenizer\":\"t\"}}}},"
            + "\"mappings\":{\"properties\":{\"t\":{\"type\":\"text\",\"analyzer\":\"a\"}}}}");

    JsonNode items =
        node.ok(
                "POST",
                "/slow/_bulk?refresh=true",
                "{\"index\":{\"_id\":\"1\"}}\n{\"t\":\"short\"}\n"
                    + "{\"index\":{\"_id\":\"2\"}}\n{\"t\":\""
                    + LONG
                    + "\"}\n{\"index\":{\"_id\":\"3\"}}\n{\"t\":\"short\"}\n")
            .path("items");
    HttpResponse<String> search =
        node.call("POST", "/slow/_search", "{\"query\":{\"match\":{\"t\":\"" + LONG + "\"}}}");

    assertThat(items.at("/0/index/status").asInt()).isEqualTo(201);
    assertThat(items.at("/1/index/status").asInt()).isEqualTo(400);
    assertThat(items.at("/1/index/error").toString()).contains("it takes too long");
    assertThat(items.at("/2/index/status").asInt()).isEqualTo(201);
    assertThat(node.ok("GET", "/slow/_count", "").path("count").asInt()).isEqualTo(2);
    assertThat(Json.parse(search.body()).toString()).contains("it takes too long");
    assertThat(search.statusCode()).isEqualTo(400);
  }

  @Test
  void aPatternOfNamesIsNoRegularExpression() throws Exception {
    node.ok("PUT", "/" + "a".repeat(200), "{}");

    HttpResponse<String> found = node.call("GET", "/*a*a*a*a*a*a*a*a*a*a*b/_count", "");

    assertThat(found.statusCode()).isEqualTo(200);
    assertThat(node.call("GET", "/*a*a*a*a*a*a*a*a*a*/_count", "").statusCode()).isEqualTo(200);
  }
}
