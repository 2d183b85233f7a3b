package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.World;
import dev.holdfast.world.real.MovedClock;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LifecycleRunsTest {
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

  /// It took documents of half an hour more when the next one came, which are younger.
  @Test
  void anIndexOfTimeSeriesIsKeptForItsLastTimes(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"data_streams.lifecycle.poll_interval\":\"1s\"}}");
      node.ok(
          "PUT",
          "/_index_template/series",
          """
          {"index_patterns": ["series-*"], "data_stream": {}, "template": {
           "lifecycle": {"data_retention": "1s"},
           "settings": {"index.mode": "time_series"},
           "mappings": {"properties": {
             "host": {"type": "keyword", "time_series_dimension": true}}}}}
          """);
      node.ok(
          "PUT",
          "/_index_template/app",
          """
          {"index_patterns": ["app-*"], "data_stream": {},
           "template": {"lifecycle": {"data_retention": "1s"}}}
          """);
      long now = RealWorld.create().clock().epochMillis();
      node.ok("PUT", "/_data_stream/series-a", "");
      node.ok("POST", "/series-a/_rollover", "");
      node.ok("POST", "/app-a/_doc", "{\"@timestamp\":" + now + "}");
      node.ok("POST", "/app-a/_rollover", "");
      String index =
          node.ok("POST", "/series-a/_doc?refresh", "{\"@timestamp\":" + now + ",\"host\":\"a\"}")
              .path("_index")
              .asText();
      assertThat(index).endsWith("-000001");

      JsonNode _ = await(node, "app-a", stream -> stream.path("indices").size() == 1);
      assertThat(node.ok("GET", "/series-a/_count", "").path("count").asInt()).isEqualTo(1);
    }
  }

  @Test
  void nothingIsTooOldByAClockThatTheStoreContradicts(@TempDir Path folder) throws Exception {
    AtomicLong aheadMillis = new AtomicLong(Duration.ofDays(2).toMillis());
    World ahead = MovedClock.calendar(aheadMillis::get);
    try (NodeFixture node = polling(new NodeFixture(folder, Map.of(), ahead))) {
      node.ok("PUT", "/_index_template/app", "{\"index_patterns\":[\"app-*\"],\"data_stream\":{}}");
      node.ok("POST", "/app-a/_doc?refresh", "{\"@timestamp\":\"2026-01-01\"}");
      node.ok("POST", "/app-a/_rollover", "");
      node.ok("PUT", "/_data_stream/app-a/_lifecycle", "{\"data_retention\":\"1ms\"}");

      JsonNode health = node.ok("GET", "/_health_report/object_store", "");
      while (!health.at("/indicators/object_store/status").asText().equals("yellow")) {
        Thread.sleep(50);
        health = node.ok("GET", "/_health_report/object_store", "");
      }
      assertThat(health.at("/indicators/object_store/details/nodes").elements().next().asText())
          .contains("ahead of the object store's");
      assertThat(await(node, "app-a", _ -> true).path("indices")).hasSize(2);

      aheadMillis.set(0);
      node.ok("POST", "/app-a/_rollover", "");
      JsonNode left = await(node, "app-a", stream -> stream.path("indices").size() == 2);
      assertThat(left.at("/indices/1/index_name").asText()).endsWith("-000003");
    }
  }

  /// Its date would be since when the one before ages.
  @Test
  void noIndexIsDatedByAClockThatTheStoreContradicts(@TempDir Path folder) throws Exception {
    AtomicLong aheadMillis = new AtomicLong();
    World ahead = MovedClock.calendar(aheadMillis::get);
    try (NodeFixture node = polling(new NodeFixture(folder, Map.of(), ahead))) {
      node.ok(
          "PUT",
          "/_index_template/app",
          """
          {"index_patterns": ["app-*"], "data_stream": {},
           "template": {"lifecycle": {"data_retention": "30d"}}}
          """);
      node.ok("POST", "/app-a/_doc?refresh", "{\"@timestamp\":\"2026-01-01\"}");
      aheadMillis.set(Duration.ofDays(20).toMillis());

      JsonNode stream =
          await(node, "app-a", now -> now.path("indices").size() > 1 || isYellow(node));
      assertThat(stream.path("indices")).hasSize(1);
    }
  }

  @Test
  void norByAPolicyWhichSaysWhatItWaitsFor(@TempDir Path folder) throws Exception {
    AtomicLong aheadMillis = new AtomicLong();
    World ahead = MovedClock.calendar(aheadMillis::get);
    try (NodeFixture node = new NodeFixture(folder, Map.of(), ahead)) {
      node.ok(
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"indices.lifecycle.poll_interval\":\"1s\"}}");
      node.ok(
          "PUT",
          "/_ilm/policy/daily",
          "{\"policy\":{\"phases\":{\"hot\":{\"actions\":{\"rollover\":{\"max_age\":\"1d\"}}}}}}");
      node.ok(
          "PUT",
          "/_index_template/app",
          """
          {"index_patterns": ["app-*"], "data_stream": {},
           "template": {"settings": {"index.lifecycle.name": "daily"}}}
          """);
      node.ok("POST", "/app-a/_doc?refresh", "{\"@timestamp\":\"2026-01-01\"}");
      aheadMillis.set(Duration.ofDays(2).toMillis());

      JsonNode stream =
          await(node, "app-a", now -> now.path("indices").size() > 1 || isClockTold(node));
      assertThat(stream.path("indices")).hasSize(1);
    }
  }

  private static boolean isClockTold(NodeFixture node) {
    try {
      return node.ok("GET", "/app-a/_ilm/explain", "")
          .findPath("step_info")
          .path("message")
          .asText()
          .startsWith("nothing is rolled over: ");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isYellow(NodeFixture node) {
    try {
      return node.ok("GET", "/_health_report/object_store", "")
          .at("/indicators/object_store/status")
          .asText()
          .equals("yellow");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static NodeFixture polling(Path folder) throws Exception {
    return polling(new NodeFixture(folder));
  }

  private static NodeFixture polling(NodeFixture node) throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"data_streams.lifecycle.poll_interval\":\"1s\"}}");
    return node;
  }

  @Test
  void failuresHaveALifecycleOfTheirOwn(@TempDir Path folder) throws Exception {
    try (NodeFixture node = polling(folder)) {
      node.ok(
          "PUT",
          "/_index_template/app",
          """
          {"index_patterns": ["app-*"], "data_stream": {},
           "template": {"data_stream_options": {"failure_store":
             {"enabled": true, "lifecycle": {"data_retention": "1s"}}}}}
          """);
      node.ok("PUT", "/_data_stream/app-a", "");
      node.call("POST", "/app-a/_doc?refresh", "{}");
      String first =
          node.ok("GET", "/_data_stream/app-a", "")
              .at("/data_streams/0/failure_store/indices/0/index_name")
              .asText();
      assertThat(
              node.ok("GET", "/" + first + "/_lifecycle/explain", "")
                  .at("/indices")
                  .path(first)
                  .at("/lifecycle/effective_retention")
                  .asText())
          .isEqualTo("1s");
      node.ok("POST", "/app-a::failures/_rollover", "");

      JsonNode left =
          await(node, "app-a", stream -> stream.at("/failure_store/indices").size() == 1);
      assertThat(left.at("/failure_store/indices/0/index_name").asText()).isNotEqualTo(first);
      assertThat(left.path("indices")).hasSize(1);
      node.ok("PUT", "/_data_stream/app-a/_options", "{\"failure_store\":{\"enabled\":true}}");
      JsonNode lifecycle = await(node, "app-a", _ -> true).path("failure_store").path("lifecycle");
      assertThat(lifecycle.path("effective_retention").asText()).isEqualTo("30d");
      assertThat(lifecycle.path("retention_determined_by").asText())
          .isEqualTo("default_failures_retention");
    }
  }

  @Test
  void whatCannotBeDeletedIsExplainedAndTriedAgain(@TempDir Path folder) throws Exception {
    try (NodeFixture node = polling(folder)) {
      node.ok(
          "PUT",
          "/_index_template/app",
          """
          {"index_patterns": ["app-*"], "data_stream": {},
           "template": {"lifecycle": {"data_retention": "3s"}}}
          """);
      node.ok("PUT", "/_data_stream/app-a", "");
      String first = await(node, "app-a", _ -> true).at("/indices/0/index_name").asText();
      node.ok("PUT", "/" + first + "/_settings", "{\"index.blocks.read_only\":true}");
      node.ok("POST", "/app-a/_rollover", "");
      node.ok("POST", "/app-a/_rollover", "");

      await(node, "app-a", stream -> stream.path("indices").size() == 2);
      JsonNode error = error(node, first);
      while (error.path("retry_count").asInt() < 2) {
        Thread.sleep(50);
        error = error(node, first);
      }
      assertThat(error.path("message").asText()).contains("index read-only");
      assertThat(error.path("last_recorded_millis").asLong())
          .isGreaterThan(error.path("first_occurrence_millis").asLong());
      assertThat(
              node.ok("GET", "/_lifecycle/stats", "")
                  .at("/data_streams/0/backing_indices_in_error")
                  .asInt())
          .isEqualTo(1);
      node.ok("PUT", "/" + first + "/_settings", "{\"index.blocks.read_only\":false}");
      JsonNode left = await(node, "app-a", stream -> stream.path("indices").size() == 1);
      assertThat(left.at("/indices/0/index_name").asText()).endsWith("-000003");
    }
  }

  @Test
  void whatIsWrittenToNoMoreIsMergedToFewSegments(@TempDir Path folder) throws Exception {
    assertThat(TailMerges.segmentsMax(0)).isEqualTo(1);
    assertThat(TailMerges.segmentsMax(TailMerges.SEGMENT_BYTES + 1)).isEqualTo(2);
    try (NodeFixture node = polling(folder)) {
      node.ok(
          "PUT",
          "/_index_template/app",
          """
          {"index_patterns": ["app-*"], "data_stream": {}, "template": {"lifecycle": {}}}
          """);
      for (int i = 0; i < 3; i++) {
        node.ok("POST", "/app-a/_doc?refresh", "{\"@timestamp\":\"2026-01-01\"}");
      }
      String first = await(node, "app-a", _ -> true).at("/indices/0/index_name").asText();
      assertThat(segments(node, first)).isEqualTo(3);
      node.ok("POST", "/app-a/_rollover", "");
      node.ok("POST", "/app-a/_doc?refresh", "{\"@timestamp\":\"2026-01-01\"}");
      node.ok("POST", "/app-a/_doc?refresh", "{\"@timestamp\":\"2026-01-01\"}");

      await(node, "app-a", _ -> segments(node, first) == 1);
      String second = await(node, "app-a", _ -> true).at("/indices/1/index_name").asText();
      assertThat(segments(node, second)).as("still written to").isEqualTo(2);
      assertThat(node.ok("GET", "/app-a/_count", "").path("count").asInt()).isEqualTo(5);
    }
  }

  private static int segments(NodeFixture node, String index) {
    try {
      return node.ok("GET", "/" + index + "/_stats/segments", "")
          .at("/_all/primaries/segments/count")
          .asInt();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode error(NodeFixture node, String index) throws Exception {
    return node.ok("GET", "/" + index + "/_lifecycle/explain", "")
        .path("indices")
        .path(index)
        .path("error");
  }

  @Test
  void theClusterBoundsRetentionAndSaysSo(@TempDir Path folder) throws Exception {
    try (NodeFixture node = polling(folder)) {
      node.ok("PUT", "/_index_template/app", "{\"index_patterns\":[\"app-*\"],\"data_stream\":{}}");
      node.ok("PUT", "/_data_stream/app-a", "");
      String settings =
          "{\"persistent\":{\"data_streams.lifecycle.retention.default\":\"%s\","
              + "\"data_streams.lifecycle.retention.max\":\"%s\"}}";
      assertThat(
              node.call("PUT", "/_cluster/settings", settings.formatted("8d", "7d")).statusCode())
          .isEqualTo(400);
      assertThat(
              node.call("PUT", "/_cluster/settings", settings.formatted("5s", "7d")).statusCode())
          .isEqualTo(400);
      node.ok("PUT", "/_cluster/settings", settings.formatted("2d", "7d"));

      var capped =
          node.call("PUT", "/_data_stream/app-a/_lifecycle", "{\"data_retention\":\"30d\"}");
      assertThat(capped.headers().firstValue("Warning").orElse("")).contains("maximum of [7d]");
      JsonNode shown = node.ok("GET", "/_data_stream/app-a/_lifecycle?include_defaults", "");
      assertThat(shown.at("/global_retention/max_retention").asText()).isEqualTo("7d");
      JsonNode lifecycle = shown.at("/data_streams/0/lifecycle");
      assertThat(lifecycle.path("data_retention").asText()).isEqualTo("30d");
      assertThat(lifecycle.path("effective_retention").asText()).isEqualTo("7d");
      assertThat(lifecycle.path("retention_determined_by").asText())
          .isEqualTo("max_global_retention");
      assertThat(lifecycle.at("/rollover/max_age").asText()).isEqualTo("1d [automatic]");
      var filled = node.call("PUT", "/_data_stream/app-a/_lifecycle", "");
      assertThat(filled.headers().firstValue("Warning").orElse("")).contains("default of [2d]");
      for (String bad :
          new String[] {
            "{\"lifecycle\":{\"data_retention\":\"soon\"}}",
            "{\"lifecycle\":{\"downsampling\":[{\"after\":\"1d\"}]}}",
            "{\"lifecycle\":5}",
            "{\"data_stream_options\":{\"failure_store\":{\"on\":true}}}"
          }) {
        String template = "{\"template\":" + bad + "}";
        assertThat(node.call("PUT", "/_component_template/c", template).statusCode())
            .as(bad)
            .isEqualTo(400);
      }
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
