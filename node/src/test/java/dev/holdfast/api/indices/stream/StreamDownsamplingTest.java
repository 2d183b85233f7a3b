package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.real.MovedClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Downsampling by the lifecycle of a data stream, on a node whose wall clock is moved on.
final class StreamDownsamplingTest {
  private static final String AGGS =
      "{\"size\":0,\"aggs\":{\"s\":{\"sum\":{\"field\":\"v\"}},\"c\":{\"value_count\":{\"field\":\"v\"}},\"d\":{\"terms\":{\"field\":\"d\"}}}}";

  private static String indexOf(NodeFixture node, int at) throws Exception {
    return node.ok("GET", "/_data_stream/m", "")
        .at("/data_streams/0/indices/" + at + "/index_name")
        .asText();
  }

  private static String await(NodeFixture node, String begin) throws Exception {
    String name = indexOf(node, 0);
    for (int i = 0; i < 600 && !name.startsWith(begin); i++) {
      Thread.sleep(100);
      name = indexOf(node, 0);
    }
    assertThat(name).startsWith(begin);
    return name;
  }

  @Test
  void indicesBecomeCoarserRoundByRound(@TempDir Path folder) throws Exception {
    AtomicLong passedMillis = new AtomicLong();
    try (NodeFixture node = new NodeFixture(folder, MovedClock.calendar(passedMillis::get))) {
      // given: a stream of time series with documents of an hour
      node.ok(
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"data_streams.lifecycle.poll_interval\":\"1s\"}}");
      node.ok(
          "PUT",
          "/_index_template/m",
          """
          {"index_patterns":["m"],"data_stream":{},"template":{
            "settings":{"index":{"mode":"time_series"}},
            "lifecycle":{"downsampling":[{"after":"3h","fixed_interval":"5m"},{"after":"1d","fixed_interval":"10m"}]},
            "mappings":{"properties":{"d":{"type":"keyword","time_series_dimension":true},
              "v":{"type":"long","time_series_metric":"gauge"}}}}}\
          """);
      Instant hour = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(1, ChronoUnit.HOURS);
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 120; i++) {
        lines.append(
            "{\"create\":{}}\n{\"@timestamp\":\"%s\",\"d\":\"%s\",\"v\":%d}\n"
                .formatted(hour.plusSeconds(60L * (i / 2)), i % 2 == 0 ? "a" : "b", i));
      }
      node.ok("POST", "/m/_bulk?refresh=true", lines.toString());
      JsonNode before = node.ok("POST", "/m/_search", AGGS);
      String first = indexOf(node, 0);
      node.ok("POST", "/m/_rollover", "");
      JsonNode lifecycle =
          node.ok("GET", "/" + first + "/_lifecycle/explain", "")
              .at("/indices/" + first + "/lifecycle");
      assertThat(lifecycle.path("downsampling").toString())
          .isEqualTo(
              "[{\"after\":\"3h\",\"fixed_interval\":\"5m\"},{\"after\":\"1d\",\"fixed_interval\":\"10m\"}]");
      // when: the first round is due
      passedMillis.set(Duration.ofHours(4).toMillis());
      String coarse = await(node, "downsample-5m-");
      // then
      assertThat(coarse).isEqualTo("downsample-5m-" + first);
      assertThat(node.ok("GET", "/m/_count", "").path("count").asInt()).isEqualTo(24);
      assertThat(node.ok("POST", "/m/_search", AGGS).path("aggregations"))
          .isEqualTo(before.path("aggregations"));
      assertThat(node.call("GET", "/" + first, "").statusCode()).isEqualTo(404);
      JsonNode explained =
          node.ok("GET", "/" + coarse + "/_lifecycle/explain", "").at("/indices/" + coarse);
      assertThat(explained.path("managed_by_lifecycle").asBoolean()).isTrue();
      assertThat(explained.has("error")).isFalse();
      // and: the next is made of that
      passedMillis.set(Duration.ofHours(25).toMillis());
      assertThat(await(node, "downsample-10m-")).isEqualTo("downsample-10m-" + first);
      assertThat(node.ok("GET", "/m/_count", "").path("count").asInt()).isEqualTo(12);
      assertThat(node.ok("POST", "/m/_search", AGGS).path("aggregations"))
          .isEqualTo(before.path("aggregations"));
    }
  }
}
