package dev.holdfast.api.cluster.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class ShardsIndicatorTest {
  private static IndexMetadata index(String name) {
    return new IndexMetadata(
        new IndexId(name, "uuid-" + name),
        1,
        new TreeMap<>(),
        1,
        Json.object(),
        1,
        new TreeMap<>(),
        true,
        List.of(1L));
  }

  private static ShardId shard(String index) {
    return new ShardId(index(index).id(), 0);
  }

  private static ClusterState state(Role... roles) {
    Member member =
        new Member(
            "id", "anna", "node:1", new TreeSet<>(List.of(roles)), 1, 0, false, Build.here("t"));
    return ClusterState.empty("uuid").withMember(member);
  }

  private static ClusterState with(ClusterState state, String index, ShardAssignment assignment) {
    return state.withIndex(index(index)).withAssignment(shard(index), assignment);
  }

  /// @param why each index is not served; `started` for one that is
  private static ObjectNode indicator(ClusterState state, String... why) {
    List<ClusterHealth.OfIndex> indices = new ArrayList<>();
    int number = 0;
    for (IndexMetadata index : state.indices().values()) {
      boolean isStarted = why[number].equals("started");
      ShardFigures figures =
          new ShardFigures(
              index,
              shard(index.id().name()),
              isStarted ? ShardStats.NONE : null,
              isStarted ? "" : why[number]);
      indices.add(ClusterHealth.OfIndex.of(state, index, List.of(figures)));
      number++;
    }
    ObjectNode indicator = Json.object();
    ShardsIndicator.write(
        indicator, state, new ClusterHealth(indices, true, Collections.emptySortedMap()));
    return indicator;
  }

  @Test
  void whereAllIsWellNothingIsDiagnosed() {
    ShardAssignment here = ShardAssignment.NONE.withOwner("id").withCopy("id", Copy.STARTED);
    ObjectNode indicator = indicator(with(state(Role.INDEX, Role.SEARCH), "a", here), "started");

    assertThat(indicator.path("status").asText()).isEqualTo("green");
    assertThat(indicator.path("symptom").asText())
        .isEqualTo("This cluster has all shards available.");
    assertThat(indicator.has("diagnosis")).isFalse();
    assertThat(indicator.has("impacts")).isFalse();
  }

  @Test
  void shardsOfOneReasonAreToldTogether() {
    ShardAssignment here = ShardAssignment.NONE.withOwner("id").withCopy("id", Copy.STARTED);
    ClusterState state = with(state(Role.INDEX, Role.SEARCH), "a", here);
    state = with(with(state, "b", here), "c", here);
    ObjectNode indicator = indicator(state, "the store is away", "started", "the store is away");

    assertThat(indicator.path("status").asText()).isEqualTo("red");
    assertThat(indicator.path("symptom").asText())
        .isEqualTo("This cluster has 2 unavailable primary shards.");
    assertThat(indicator.at("/details/initializing_primaries").asInt()).isEqualTo(2);
    assertThat(indicator.at("/details/unassigned_primaries").asInt()).isZero();
    assertThat(indicator.path("diagnosis")).hasSize(1);
    assertThat(indicator.at("/diagnosis/0/cause").asText())
        .isEqualTo("The owner [anna] has not opened the shard: the store is away");
    assertThat(indicator.at("/diagnosis/0/affected_resources/indices").toString())
        .isEqualTo("[\"a\",\"c\"]");
    assertThat(indicator.at("/impacts/0/description").asText())
        .startsWith("Cannot add data to 2 indices [a, c].");
  }

  @Test
  void whereNobodyMayOwnShardsThatIsTheReason() {
    ObjectNode indicator = indicator(with(state(Role.PROXY), "a", ShardAssignment.NONE), "");

    assertThat(indicator.at("/details/unassigned_primaries").asInt()).isEqualTo(1);
    assertThat(indicator.at("/diagnosis/0/action").asText())
        .isEqualTo("Start a node with the role [index].");
  }

  @Test
  void yellowHasItsReason() {
    ShardAssignment opening = ShardAssignment.NONE.withOwner("id").withCopy("id", Copy.STARTING);
    ClusterState state = with(state(Role.INDEX, Role.SEARCH), "a", opening);
    state = with(state, "b", ShardAssignment.NONE.withOwner("id"));
    ObjectNode indicator = indicator(state, "started", "started");

    assertThat(indicator.path("status").asText()).isEqualTo("yellow");
    assertThat(indicator.path("symptom").asText())
        .isEqualTo("This cluster has 2 unavailable replica shards.");
    assertThat(indicator.path("diagnosis").findValuesAsText("id"))
        .containsExactly(
            "holdfast:health:shards_availability:diagnosis:copy_not_open",
            "holdfast:health:shards_availability:diagnosis:no_copy");
    assertThat(indicator.at("/diagnosis/0/cause").asText()).contains("[anna]");
    assertThat(indicator.at("/impacts/0/severity").asInt()).isEqualTo(2);
  }
}
