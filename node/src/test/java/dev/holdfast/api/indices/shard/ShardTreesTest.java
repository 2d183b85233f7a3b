package dev.holdfast.api.indices.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Answers that say the same of each shard.
final class ShardTreesTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void askForMemory() throws Exception {
    node.ok("PUT", "/many", "{\"settings\":{\"number_of_shards\":100}}");
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"16kb\"}}");

    int recovery = node.get("/many/_recovery").statusCode();
    int segments = node.get("/many/_segments").statusCode();
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");

    assertThat(recovery).isEqualTo(429);
    assertThat(segments).isEqualTo(429);
    assertThat(node.get("/many/_recovery").statusCode()).isEqualTo(200);
    assertThat(node.get("/many/_segments").statusCode()).isEqualTo(200);
  }
}
