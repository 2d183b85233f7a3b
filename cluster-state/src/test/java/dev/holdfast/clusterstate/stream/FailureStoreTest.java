package dev.holdfast.clusterstate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class FailureStoreTest {
  private static ClusterState with(Object patterns) {
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put(FailureStore.ENABLED, patterns);
    return ClusterState.empty("uuid").withSettings(settings);
  }

  private static ObjectNode options(boolean isEnabled) {
    ObjectNode options = Json.object();
    options.putObject("failure_store").put("enabled", isEnabled);
    return options;
  }

  @Test
  void optionsOfAStreamStandBeforeTheSetting() {
    for (Object patterns : List.of(List.of("x", "logs-*"), "x, logs-*")) {
      ClusterState state = with(patterns);
      assertThat(FailureStore.isEnabled(state, "logs-a", null)).isTrue();
      assertThat(FailureStore.isEnabled(state, "logs-a", Json.object())).isTrue();
      assertThat(FailureStore.isEnabled(state, "logs-a", options(false))).isFalse();
      assertThat(FailureStore.isEnabled(state, "other", null)).isFalse();
      assertThat(FailureStore.isEnabled(state, "other", options(true))).isTrue();
    }
    assertThat(FailureStore.isEnabled(ClusterState.empty("uuid"), "logs-a", null)).isFalse();
  }

  @Test
  void streamsOfTheSystemAreMeantByNoPattern() {
    assertThat(FailureStore.isEnabled(with("*"), ".system", null)).isFalse();
    assertThat(FailureStore.isEnabled(with("*"), ".system", options(true))).isTrue();
  }
}
