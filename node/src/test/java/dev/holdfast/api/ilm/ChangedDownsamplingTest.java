package dev.holdfast.api.ilm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A policy whose interval of times changes while an index is being made coarser.
final class ChangedDownsamplingTest extends PassingDays {
  private static void policy(NodeFixture node, String interval) throws Exception {
    node.ok(
        "PUT",
        "/_ilm/policy/coarser",
        "{\"policy\":{\"phases\":{\"hot\":{\"actions\":{\"rollover\":{\"max_docs\":3},"
            + "\"downsample\":{\"fixed_interval\":\""
            + interval
            + "\"}}}}}}");
  }

  /// The index behind a stream that waits for the end of its times.
  private static String waiting(NodeFixture node) throws Exception {
    policy(node, "10m");
    node.ok(
        "PUT",
        "/_index_template/m",
        "{\"index_patterns\":[\"m-*\"],\"data_stream\":{},\"template\":{\"settings\":{\"index.mode\":\"time_series\","
            + "\"index.lifecycle.name\":\"coarser\"},\"mappings\":{\"properties\":{"
            + "\"d\":{\"type\":\"keyword\",\"time_series_dimension\":true},"
            + "\"v\":{\"type\":\"double\",\"time_series_metric\":\"gauge\"}}}}}");
    node.ok("PUT", "/_data_stream/m-a", "");
    String first = node.ok("GET", "/m-a/_settings", "").fieldNames().next();
    Instant start =
        Instant.parse(
            node.ok("GET", "/m-a/_settings?flat_settings", "")
                .path(first)
                .at("/settings/index.time_series.start_time")
                .asText());
    for (int second : List.of(1200, 1201, 1202)) {
      node.ok(
          "POST",
          "/m-a/_doc?refresh=true",
          "{\"@timestamp\":\"" + start.plusSeconds(second) + "\",\"d\":\"a\",\"v\":1}");
    }
    until(
        "it waits for the end of its times",
        () -> explained(node, first).path("step").asText().equals("check-ts-end-time-passed"));
    return first;
  }

  @Test
  void whatWasMadeByTheEarlierOneIsTakenAway() throws Exception {
    try (NodeFixture node = started()) {
      String first = waiting(node);
      node.ok("POST", "/_ilm/stop", "");
      until(
          "stopped",
          () ->
              node.ok("GET", "/_ilm/status", "").path("operation_mode").asText().equals("STOPPED"));
      String tenMinutes = "downsample-10m-" + first;
      node.ok("PUT", "/" + first + "/_block/write", "");
      node.ok("POST", "/" + first + "/_downsample/" + tenMinutes, "{\"fixed_interval\":\"10m\"}");
      policy(node, "1h");
      node.ok(
          "POST",
          "/_ilm/move/" + first,
          "{\"current_step\":{\"phase\":\"hot\",\"action\":\"downsample\",\"name\":"
              + "\"check-ts-end-time-passed\"},\"next_step\":{\"phase\":\"hot\","
              + "\"action\":\"downsample\",\"name\":\"wait-for-rollup\"}}");

      pass(Duration.ofHours(2));
      node.ok("POST", "/_ilm/start", "");

      String hour = "downsample-1h-" + first;
      until("downsampled", () -> exists(node, hour) && !exists(node, first));
      assertThat(exists(node, tenMinutes)).isFalse();
    }
  }
}
