package dev.holdfast.clusterstate.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import org.junit.jupiter.api.Test;

final class StateSizeTest {
  private final StateSize size = new StateSize(1_000_000, 4_000_000);

  private static ClusterState with(ClusterState state, String kind, int bytes) {
    return state.withCustom(kind, Json.object().put("a", "x".repeat(bytes)));
  }

  @Test
  void whatMakesTheStateTooLargeIsRefused() {
    ClusterState empty = ClusterState.empty("uuid");
    ClusterState half = with(empty, "templates", 500_000);
    ClusterState full = with(half, "pipelines", 400_000);

    size.requireBearable(empty, half);
    size.requireBearable(half, full);
    assertThatThrownBy(() -> size.requireBearable(full, with(full, "policies", 200_000)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("make what is added smaller");
    assertThatThrownBy(() -> size.requireBearable(full, with(full, "pipelines", 600_000)))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void smallChangesAndWhatMakesItSmallerAreAlwaysTaken() {
    ClusterState large = with(ClusterState.empty("uuid"), "templates", 5_000_000);

    assertThat(size.isBearable(large, with(large, "marks", 10_000))).isTrue();
    assertThat(size.isBearable(large, with(large, "templates", 4_000_000))).isTrue();
    ClusterState small = with(large, "templates", 10);
    assertThat(size.isBearable(small, with(small, "policies", 900_000))).isTrue();
  }

  /// A list of empty objects takes thirty times its text.
  @Test
  void whatTakesFarMoreMemoryThanItSaysIsRefused() {
    ClusterState empty = ClusterState.empty("uuid");
    ClusterState half = empty.withCustom("templates", objects(20_000));

    size.requireBearable(empty, half);
    assertThatThrownBy(() -> size.requireBearable(half, half.withCustom("more", objects(30_000))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("of memory");
    assertThat(size.isBearable(half, half.withCustom("marks", objects(1_000)))).isTrue();
    assertThat(size.isBearable(half, half.withCustom("templates", objects(10)))).isTrue();
  }

  private static ArrayNode objects(int count) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    for (int i = 0; i < count; i++) {
      list.addObject();
    }
    return list;
  }
}
