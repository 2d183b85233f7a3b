package dev.holdfast.api.ilm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// When lifecycles will delete an index.
final class PlannedDeletionTest {
  private static final long NOW = days(100);

  private static long days(int days) {
    return Duration.ofDays(days).toMillis();
  }

  private static IndexMetadata index(String name, int createdDay, Map<String, Object> more) {
    TreeMap<String, Object> settings = new TreeMap<>(more);
    settings.put("index.creation_date", String.valueOf(days(createdDay)));
    return new IndexMetadata(
        new IndexId(name, "uuid-" + name),
        1,
        settings,
        1,
        Json.object(),
        1,
        new TreeMap<>(),
        true,
        List.of(1L));
  }

  private static OptionalLong planned(ClusterState state, String index) {
    return PlannedDeletion.millis(state, Objects.requireNonNull(state.indices().get(index)), NOW);
  }

  private static ClusterState withPolicy(String phases) {
    ObjectNode body = Json.parseObject("{\"policy\":{\"phases\":" + phases + "}}");
    return StoredPolicies.with(ClusterState.empty("cluster"), "p", LifecyclePolicy.read(body), NOW);
  }

  @Test
  void aPolicyDeletesFromTheCreationOnOrFromTheDateThatTheIndexNames() {
    ClusterState state =
        withPolicy("{\"delete\":{\"min_age\":\"40d\",\"actions\":{\"delete\":{}}}}")
            .withIndex(index("a", 90, Map.of("index.lifecycle.name", "p")))
            .withIndex(
                index(
                    "b",
                    90,
                    Map.of(
                        "index.lifecycle.name",
                        "p",
                        "index.lifecycle.origination_date",
                        String.valueOf(days(50)))))
            .withIndex(index("c", 90, Map.of("index.lifecycle.name", "missing")))
            .withIndex(index("d", 90, Map.of()));

    assertThat(planned(state, "a")).hasValue(days(130));
    assertThat(planned(state, "b")).hasValue(days(90));
    assertThat(planned(state, "c")).isEmpty();
    assertThat(planned(state, "d")).isEmpty();
  }

  /// As of one that was restored under another name.
  @Test
  void aPolicyThatCannotBeFollowedDeletesNothing() {
    ClusterState state =
        withPolicy("{\"delete\":{\"min_age\":\"40d\",\"actions\":{\"delete\":{}}}}")
            .withIndex(
                index(
                    "undated",
                    90,
                    Map.of(
                        "index.lifecycle.name",
                        "p",
                        "index.lifecycle.parse_origination_date",
                        "true")));

    assertThat(planned(state, "undated")).isEmpty();
  }

  @Test
  void aPolicyWithoutThatPhaseDeletesNothing() {
    ClusterState state =
        withPolicy("{\"hot\":{\"actions\":{\"set_priority\":{\"priority\":1}}}}")
            .withIndex(index("a", 90, Map.of("index.lifecycle.name", "p")));
    assertThat(planned(state, "a")).isEmpty();
  }

  @Test
  void aStreamDeletesFromTheRolloverOn() {
    ObjectNode json = DataStream.empty("s", false, false).json().deepCopy();
    json.putArray("indices").add("s-1").add("s-2");
    json.putObject("lifecycle").put("enabled", true).put("data_retention", "40d");
    ClusterState state =
        DataStreams.with(ClusterState.empty("cluster"), new DataStream("s", json))
            .withIndex(index("s-1", 70, Map.of()))
            .withIndex(index("s-2", 80, Map.of()));

    assertThat(planned(state, "s-1")).hasValue(days(120));
    assertThat(planned(state, "s-2")).as("it may roll over now").hasValue(days(140));
  }

  @Test
  void aStreamDeletesTimeSeriesFromTheEndOfTheirTimesOn() {
    ObjectNode json = DataStream.empty("s", false, false).json().deepCopy();
    json.putArray("indices").add("s-1").add("s-2");
    json.putObject("lifecycle").put("enabled", true).put("data_retention", "40d");
    Map<String, Object> series =
        Map.of(
            "index.mode",
            "time_series",
            "index.time_series.start_time",
            "1970-01-01T00:00:00Z",
            "index.time_series.end_time",
            "1970-03-26T00:00:00Z");
    ClusterState state =
        DataStreams.with(ClusterState.empty("cluster"), new DataStream("s", json))
            .withIndex(index("s-1", 70, series))
            .withIndex(index("s-2", 80, Map.of()));

    assertThat(planned(state, "s-1")).hasValue(days(84 + 40));
  }
}
