package dev.holdfast.api.cat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Columns are as wide as their widest cell, in every line.
final class CatTableMemoryTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static ObjectNode template(int priority, int patterns) {
    ObjectNode template = Json.object().put("priority", priority);
    for (int i = 0; i < patterns; i++) {
      template.withArray("index_patterns").add("p" + priority + "-" + i + "-*");
    }
    return template;
  }

  @Test
  void aWideCellInManyLinesAsksForMemory() throws Exception {
    for (int i = 0; i < 200; i++) {
      node.ok("PUT", "/_index_template/small-" + i, template(i, 1).toString());
    }
    node.ok("PUT", "/_index_template/wide", template(1_000, 10_000).toString());
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"24mb\"}}");

    HttpResponse<String> padded = node.call("GET", "/_cat/templates", "");
    HttpResponse<String> json = node.call("GET", "/_cat/templates?format=json", "");
    HttpResponse<String> small = node.call("GET", "/_cat/templates/small-*", "");
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");

    assertThat(padded.statusCode()).as("%.300s", padded.body()).isEqualTo(429);
    assertThat(json.statusCode()).isEqualTo(200);
    assertThat(small.statusCode()).isEqualTo(200);
    assertThat(small.body().lines()).hasSize(200);
  }
}
