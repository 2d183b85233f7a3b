package dev.holdfast.api.indices.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.lifecycle.AutoSharding.Decision;
import dev.holdfast.api.indices.lifecycle.AutoSharding.Kind;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The formula of shard counts, and its cool-downs by the hour.
final class AutoShardingTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long NOW = 1_000 * HOUR;

  private ClusterState state = ClusterState.empty("uuid");
  private DataStream stream = DataStream.empty("logs", false, false);

  /// Adds an index that is written to from then on.
  private void rolledOver(int shards, long createdMillis, double loadOfTheOneBefore) {
    if (!stream.indices().isEmpty()) {
      stream = stream.withWriteLoad(stream.writeIndex(), loads(loadOfTheOneBefore).json());
    }
    String name = "i" + (stream.generation() + 1);
    IndexMetadata index = TestCluster.index(name, shards, 1);
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    settings.put("index.creation_date", Long.toString(createdMillis));
    state = state.withIndex(index.withSettings(settings));
    stream = stream.rolledOver(Component.DATA, name);
  }

  private static WriteLoads loads(double threads) {
    return new WriteLoads(threads, 0, 0);
  }

  private void event(long millis) {
    ObjectNode event = Json.object().put("event_time_millis", millis);
    stream = stream.with("auto_sharding", event);
  }

  private Decision decide(@Nullable WriteLoads load) {
    return AutoSharding.of(state).decide(state, stream, false, load, NOW);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "0.9, 1",
    "1, 1",
    "1.5, 2",
    "2, 2",
    "2.5, 3",
    "48, 3",
    "49, 4",
    "64, 4",
    "160, 10",
    "1000000, 1024"
  })
  void theNumberOfShardsFollowsTheLoad(double load, int shards) {
    assertThat(AutoSharding.of(state).optimal(load)).isEqualTo(shards);
  }

  @Test
  void moreComeOnceTheShortCooldownIsOver() {
    rolledOver(1, NOW - 269_000, 0);
    assertThat(decide(loads(2.5))).isEqualTo(new Decision(Kind.COOLDOWN_PREVENTED_INCREASE, 3));
    state = ClusterState.empty("uuid");
    stream = DataStream.empty("logs", false, false);
    rolledOver(1, NOW - 270_000, 0);
    assertThat(decide(loads(2.5))).isEqualTo(new Decision(Kind.INCREASE_SHARDS, 3));
    event(NOW - 1_000);
    assertThat(decide(loads(2.5)).kind()).isEqualTo(Kind.COOLDOWN_PREVENTED_INCREASE);
    assertThat(decide(loads(0.5))).isEqualTo(new Decision(Kind.NO_CHANGE_REQUIRED, 1));
  }

  @Test
  void fewerComeOnceNoIndexWithinThreeDaysNeededMore() {
    rolledOver(3, NOW - 200 * HOUR, 0);
    rolledOver(3, NOW - 71 * HOUR, 2.5);
    rolledOver(3, NOW - 10 * HOUR, 0.1);
    assertThat(decide(loads(0.2)).kind())
        .as("the first index was written to 71 hours ago, by 2.5 threads")
        .isEqualTo(Kind.NO_CHANGE_REQUIRED);

    state = ClusterState.empty("uuid");
    stream = DataStream.empty("logs", false, false);
    rolledOver(3, NOW - 200 * HOUR, 0);
    rolledOver(3, NOW - 73 * HOUR, 2.5);
    rolledOver(3, NOW - 10 * HOUR, 1.5);
    assertThat(decide(loads(0.2))).isEqualTo(new Decision(Kind.DECREASE_SHARDS, 2));
    event(NOW - 71 * HOUR);
    assertThat(decide(loads(0.2))).isEqualTo(new Decision(Kind.COOLDOWN_PREVENTED_DECREASE, 2));
  }

  @Test
  void whatIsExcludedSaidOrUnknownStaysAsItIs() {
    rolledOver(1, 0, 0);
    assertThat(decide(null).kind()).isEqualTo(Kind.NOT_APPLICABLE);
    assertThat(AutoSharding.of(state).decide(state, stream, true, loads(9), NOW).kind())
        .as("the template says how many")
        .isEqualTo(Kind.NOT_APPLICABLE);
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put(AutoSharding.EXCLUDES, List.of("x*", "lo*"));
    state = state.withSettings(settings);
    assertThat(decide(loads(9)).kind()).isEqualTo(Kind.NOT_APPLICABLE);
  }

  @Test
  void theMetricOfEitherDirectionIsASetting() {
    rolledOver(2, 0, 0);
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put(AutoSharding.INCREASE_METRIC, "PEAK");
    settings.put(AutoSharding.DECREASE_METRIC, "recent");
    state = state.withSettings(settings);
    assertThat(decide(new WriteLoads(0.1, 0.1, 3)).kind()).isEqualTo(Kind.INCREASE_SHARDS);
    assertThat(decide(new WriteLoads(2, 0.1, 2)).kind()).isEqualTo(Kind.DECREASE_SHARDS);
    assertThat(decide(new WriteLoads(0.1, 1.5, 2)).kind()).isEqualTo(Kind.NO_CHANGE_REQUIRED);
  }
}
