package dev.holdfast.clusterstate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.world.Json;
import org.junit.jupiter.api.Test;

final class DataStreamsTest {
  private static final DataStream LOGS =
      DataStream.empty("logs", false, false)
          .rolledOver(Component.DATA, "i1")
          .rolledOver(Component.DATA, "i2");

  @Test
  void indicesAreNamedByDayAndGeneration() {
    assertThat(LOGS.next(Component.DATA, 1_767_225_600_000L))
        .isEqualTo(".ds-logs-2026.01.01-000003");
    assertThat(LOGS.next(Component.FAILURES, 0)).isEqualTo(".fs-logs-1970.01.01-000003");
    assertThat(LOGS.writeIndex()).isEqualTo("i2");
    assertThat(LOGS.writeIndex(Component.FAILURES)).isNull();
  }

  @Test
  void aRolloverEndsTheWaitForOne() {
    DataStream waiting = LOGS.rollingOverOnWrite(Component.DATA);

    assertThat(waiting.rollsOverOnWrite(Component.DATA)).isTrue();
    assertThat(waiting.rollsOverOnWrite(Component.FAILURES)).as("it has none").isTrue();
    assertThat(waiting.rolledOver(Component.DATA, "i3").rollsOverOnWrite(Component.DATA)).isFalse();
  }

  @Test
  void anIndexInThePlaceOfAnotherHasItsFigures() {
    DataStream loaded = LOGS.withWriteLoad("i1", Json.object().put("recent", 2));

    DataStream replaced = loaded.replaced("i1", "coarse");

    assertThat(replaced.indices()).containsExactly("coarse", "i2");
    assertThat(replaced.writeLoad("i1")).isNull();
    assertThat(replaced.writeLoad("coarse")).isEqualTo(loaded.writeLoad("i1"));
    assertThat(replaced.without("coarse").json().has("write_loads")).isFalse();
  }

  @Test
  void anAliasOfSeveralIsWrittenToWhereItIsMarked() {
    var options = Json.object();
    options.putObject("all");
    var marked = Json.object();
    marked.putObject("all").put("is_write_index", true);
    ClusterState state =
        DataStreams.with(
            DataStreams.with(ClusterState.empty("uuid"), LOGS.with("aliases", options)),
            DataStream.empty("metrics", false, false).with("aliases", options));

    assertThat(DataStreams.written(state, "all")).isNull();
    assertThat(DataStreams.written(state, "logs")).isEqualTo(DataStreams.of(state, "logs"));
    ClusterState decided = DataStreams.with(state, LOGS.with("aliases", marked));
    assertThat(DataStreams.written(decided, "all")).isNotNull();
    ClusterState alone = DataStreams.without(state, "metrics");
    assertThat(DataStreams.written(alone, "all")).isEqualTo(DataStreams.of(alone, "logs"));
    var unmarked = Json.object();
    unmarked.putObject("all").put("is_write_index", false);
    assertThat(DataStreams.written(DataStreams.with(alone, LOGS.with("aliases", unmarked)), "all"))
        .isNull();
    assertThat(DataStreams.owning(decided, "i1")).isNotNull();
    assertThat(DataStreams.owning(decided, "i9")).isNull();
    assertThat(DataStreams.owning(DataStreams.without(decided, "logs"), "i1")).isNull();
    assertThat(DataStreams.all(DataStreams.without(decided, "logs"))).hasSize(1);
  }

  /// Else whoever goes through all indices reads all streams for each of them.
  @Test
  void whoseIndicesAreIsFoundOutOnceForAll() {
    ClusterState state =
        DataStreams.with(ClusterState.empty("uuid"), LOGS.rolledOver(Component.FAILURES, "f1"));

    DataStream owner = DataStreams.owning(state, "i1");

    assertThat(owner).isNotNull().isEqualTo(DataStreams.of(state, "logs"));
    assertThat(DataStreams.owning(state, "i2")).isSameAs(owner);
    assertThat(DataStreams.owning(state, "f1")).isSameAs(owner);
    ClusterState later = DataStreams.with(state, LOGS.rolledOver(Component.DATA, "i3"));
    assertThat(DataStreams.owning(later, "i3")).isEqualTo(DataStreams.of(later, "logs"));
    assertThat(DataStreams.owning(state, "i3")).isNull();
  }

  @Test
  void streamsAreInTheStoredState() {
    ClusterState state = DataStreams.with(ClusterState.empty("uuid"), LOGS);

    byte[] stored = Json.bytes(StateJson.full(state));
    ClusterState read = StateJson.full(Json.parseObject(stored, 0, stored.length));
    assertThat(DataStreams.of(read, "logs")).isEqualTo(LOGS);
  }
}
