package dev.holdfast.api.ilm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Policies and indices of time series that still take documents after their rollover.
final class TimeSeriesEndTest extends PassingDays {
  private static final String WAITS = "check-ts-end-time-passed";

  private static String stream(NodeFixture node, String phases) throws Exception {
    node.ok("PUT", "/_ilm/policy/p", "{\"policy\":{\"phases\":" + phases + "}}");
    node.ok(
        "PUT",
        "/_index_template/m",
        "{\"index_patterns\":[\"m-*\"],\"data_stream\":{},\"template\":{\"settings\":{"
            + "\"index.mode\":\"time_series\",\"index.lifecycle.name\":\"p\"},"
            + "\"mappings\":{\"properties\":{"
            + "\"d\":{\"type\":\"keyword\",\"time_series_dimension\":true}}}}}");
    node.ok("PUT", "/_data_stream/m-a", "");
    return node.ok("GET", "/m-a/_settings", "").fieldNames().next();
  }

  private static void write(NodeFixture node) throws Exception {
    String body = "{\"@timestamp\":\"" + Instant.now() + "\",\"d\":\"a\"}";
    node.ok("POST", "/m-a/_doc?refresh=true", body);
  }

  private static void untilItWaits(NodeFixture node, String index) throws Exception {
    until(
        "it waits for the end of its times",
        () -> explained(node, index).path("step").asText().equals(WAITS));
  }

  @Test
  void anIndexIsDeletedWhenItsTimesAreOver() throws Exception {
    try (NodeFixture node = started()) {
      String first =
          stream(
              node,
              "{\"hot\":{\"actions\":{\"rollover\":{\"max_docs\":1}}},"
                  + "\"delete\":{\"min_age\":\"0ms\",\"actions\":{\"delete\":{}}}}");
      write(node);
      untilItWaits(node, first);
      assertThat(explained(node, first).path("action").asText()).isEqualTo("delete");

      pass(Duration.ofHours(2));

      until("deleted", () -> !exists(node, first));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"readonly\":{}", "\"forcemerge\":{\"max_num_segments\":1}"})
  void anIndexTakesWritesUntilItsTimesAreOver(String action) throws Exception {
    try (NodeFixture node = started()) {
      String first =
          stream(node, "{\"hot\":{\"actions\":{\"rollover\":{\"max_docs\":1}," + action + "}}}");
      write(node);
      untilItWaits(node, first);
      String blocked = "/settings/index.blocks.write";
      assertThat(settings(node, first).at(blocked).asText()).isEmpty();

      pass(Duration.ofHours(2));

      until("read only", () -> settings(node, first).at(blocked).asText().equals("true"));
    }
  }

  private static JsonNode settings(NodeFixture node, String index) throws Exception {
    return node.ok("GET", "/" + index + "/_settings?flat_settings", "").path(index);
  }
}
