package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LifecycleRunsTest {
  @Test
  void indicesRollOverTheOftenerTheShorterTheyAreKept() {
    assertThat(LifecycleRuns.ageMax(null)).isEqualTo(Duration.ofDays(30));
    assertThat(LifecycleRuns.ageMax(Duration.ofDays(91))).isEqualTo(Duration.ofDays(30));
    assertThat(LifecycleRuns.ageMax(Duration.ofDays(90))).isEqualTo(Duration.ofDays(7));
    assertThat(LifecycleRuns.ageMax(Duration.ofDays(14))).isEqualTo(Duration.ofDays(1));
    assertThat(LifecycleRuns.ageMax(Duration.ofDays(1))).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void whatIsOlderThanItsRetentionGoesAndWhatIsWrittenToStays(@TempDir Path folder)
      throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"data_streams.lifecycle.poll_interval\":\"1s\"}}");
      node.ok("PUT", "/_index_template/app", "{\"index_patterns\":[\"app-*\"],\"data_stream\":{}}");
      node.ok("POST", "/app-kept/_doc?refresh", "{\"@timestamp\":\"2026-01-01\"}");
      node.ok("POST", "/app-a/_doc?refresh", "{\"@timestamp\":\"2026-01-01\"}");
      node.ok("POST", "/app-a/_rollover", "");
      node.ok("POST", "/app-kept/_rollover", "");
      node.ok("PUT", "/_data_stream/app-a/_lifecycle", "{\"data_retention\":\"1s\"}");
      node.ok("PUT", "/_data_stream/app-kept/_lifecycle", "{\"data_retention\":\"1d\"}");

      JsonNode left = await(node, "app-a", stream -> stream.path("indices").size() == 1);
      assertThat(left.at("/indices/0/index_name").asText()).endsWith("-000002");
      assertThat(left.path("lifecycle").path("effective_retention").asText()).isEqualTo("1s");
      assertThat(await(node, "app-kept", _ -> true).path("indices")).hasSize(2);
      assertThat(node.ok("GET", "/_lifecycle/stats", "").path("data_stream_count").asInt())
          .isEqualTo(2);
      node.ok("DELETE", "/_data_stream/app-a/_lifecycle", "");
      assertThat(
              node.ok("GET", "/app-a/_lifecycle/explain", "")
                  .path("indices")
                  .findValuesAsText("managed_by_lifecycle"))
          .containsOnly("false");
    }
  }

  private static JsonNode await(NodeFixture node, String name, Predicate<JsonNode> isReached)
      throws Exception {
    long endNanos = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      JsonNode stream = node.ok("GET", "/_data_stream/" + name, "").at("/data_streams/0");
      if (isReached.test(stream) || System.nanoTime() > endNanos) {
        assertThat(isReached.test(stream)).as(stream.toString()).isTrue();
        return stream;
      }
      Thread.sleep(50);
    }
  }
}
