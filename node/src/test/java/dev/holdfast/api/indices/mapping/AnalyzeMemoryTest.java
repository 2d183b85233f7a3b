package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A token may be as long as its text, and there may be ten thousand of them.
final class AnalyzeMemoryTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tokensAskForMemory(boolean isExplained) throws Exception {
    String body =
        "{\"tokenizer\":\"keyword\",\"filter\":[{\"type\":\"edge_ngram\",\"max_gram\":4000}],"
            + "\"explain\":%s,\"text\":\"%s\"}";
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"8mb\"}}");

    int large =
        node.call("POST", "/_analyze", body.formatted(isExplained, "x".repeat(4_000))).statusCode();
    int small =
        node.call("POST", "/_analyze", body.formatted(isExplained, "x".repeat(40))).statusCode();
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");

    assertThat(large).isEqualTo(429);
    assertThat(small).isEqualTo(200);
  }
}
