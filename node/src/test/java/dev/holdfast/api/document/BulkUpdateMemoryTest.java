package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Updates of a few bytes make documents of any length.
final class BulkUpdateMemoryTest {
  private static final int UPDATES = 50;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @AfterEach
  void unlimited() throws Exception {
    limit("null");
  }

  @Test
  void documentsThatNobodyAskedForAreNotHeld() throws Exception {
    node.ok("PUT", "/pages/_doc/1", "{\"text\":\"" + "x ".repeat(100_000) + "\"}");
    limit("\"4mb\"");

    JsonNode plain = update("");
    JsonNode shown = update(",\"_source\":[\"n\",\"text\"]");

    assertThat(plain.path("errors").asBoolean()).as("%.500s", plain).isFalse();
    assertThat(plain.at("/items/0/update").has("get")).isFalse();
    assertThat(shown.path("items")).hasSize(UPDATES);
    assertThat(shown.path("items").findValuesAsText("status")).contains("200", "429");
    assertThat(shown.at("/items/0/update/get/_source/text").asText()).hasSize(200_000);
  }

  /// A document that is shown is in its result and in the answer, for which nothing can be refused
  /// when it is written.
  @Test
  void theAnswerIsAskedForBeforeADocumentIsWritten() throws Exception {
    node.ok("PUT", "/pages/_doc/1", "{\"text\":\"" + "x ".repeat(100_000) + "\"}");
    limit("\"16mb\"");

    JsonNode shown = update(",\"_source\":true");

    assertThat(shown.path("items").findValuesAsText("status")).contains("200", "429");
    int written = node.json("/pages/_doc/1").at("/_source/n").asInt();
    assertThat(written).as("the last of those that were told").isBetween(10, 30);
  }

  private static JsonNode update(String more) throws Exception {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < UPDATES; i++) {
      body.append("{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"n\":" + i + "}" + more + "}\n");
    }
    return node.ok("POST", "/pages/_bulk", body.toString());
  }

  @Test
  void whatIsAskedForIsShownWhereverItIsSaid() throws Exception {
    node.ok("PUT", "/books/_doc/1", "{\"a\":1}");

    JsonNode byUrl = node.ok("POST", "/books/_update/1?_source=true", "{\"doc\":{\"a\":2}}");
    JsonNode byBody = node.ok("POST", "/books/_update/1", "{\"doc\":{\"a\":3},\"_source\":true}");
    JsonNode bulk =
        node.ok(
            "POST",
            "/books/_bulk",
            "{\"update\":{\"_id\":\"1\",\"_source\":true}}\n{\"doc\":{\"a\":4}}\n"
                + "{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"a\":4},\"_source\":true}\n"
                + "{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"a\":5}}\n");
    JsonNode bulkByUrl =
        node.ok(
            "POST",
            "/books/_bulk?_source=true",
            "{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"a\":6}}\n");

    assertThat(byUrl.at("/get/_source/a").asInt()).isEqualTo(2);
    assertThat(byBody.at("/get/_source/a").asInt()).isEqualTo(3);
    assertThat(bulk.at("/items/0/update/get/_source/a").asInt()).isEqualTo(4);
    assertThat(bulk.at("/items/1/update/get/_source/a").asInt()).as("a noop").isEqualTo(4);
    assertThat(bulk.at("/items/2/update").has("get")).isFalse();
    assertThat(bulkByUrl.at("/items/0/update/get/_source/a").asInt()).isEqualTo(6);
  }

  /// A name of a few letters becomes a script of any length, in each update.
  @Test
  void storedScriptsOfManyUpdatesAskForMemory() throws Exception {
    node.ok("PUT", "/scripted/_doc/1", "{\"n\":0}");
    String source = "ctx._source.n++ // " + "x".repeat(60_000);
    node.ok(
        "PUT",
        "/_scripts/long",
        "{\"script\":{\"lang\":\"painless\",\"source\":\"" + source + "\"}}");
    limit("\"4mb\"");
    String update = "{\"update\":{\"_id\":\"1\"}}\n{\"script\":{\"id\":\"long\"}}\n";

    JsonNode few = node.ok("POST", "/scripted/_bulk", update.repeat(5));
    JsonNode many = node.ok("POST", "/scripted/_bulk", update.repeat(200));

    assertThat(few.path("errors").asBoolean()).as("%.500s", few).isFalse();
    assertThat(many.path("items").findValuesAsText("status")).contains("200", "429");
  }

  @Test
  void treesOfUpdatesAskForMemory() throws Exception {
    node.ok("PUT", "/trees/_doc/1", "{\"a\":1}");
    String large = "{\"doc\":{\"list\":[" + "{},".repeat(100_000) + "{}]}}";
    limit("\"4mb\"");

    HttpResponse<String> refused = node.call("POST", "/trees/_update/1", large);
    HttpResponse<String> small = node.call("POST", "/trees/_update/1", "{\"doc\":{\"a\":2}}");

    assertThat(refused.statusCode()).as("%.300s", refused.body()).isEqualTo(429);
    assertThat(small.statusCode()).isEqualTo(200);
  }

  private static void limit(String value) throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":" + value + "}}");
  }
}
