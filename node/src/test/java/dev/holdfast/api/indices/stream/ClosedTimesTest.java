package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// From when on the indices of a stream grow old.
final class ClosedTimesTest {
  private ClusterState state = ClusterState.empty("cluster");
  private final DataStream stream =
      DataStream.empty("s", false, false)
          .withIndices(Component.DATA, List.of("taken", "first", "said", "written"));

  private void add(String name, String... settings) {
    IndexMetadata index = TestCluster.index(name, 1, 0);
    SortedMap<String, Object> all = new TreeMap<>(index.settings());
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    state = state.withIndex(index.withSettings(all));
  }

  private long closed(String name) {
    return LifecycleRuns.closedMillis(
        state, stream, Component.DATA, Objects.requireNonNull(state.indices().get(name)));
  }

  @Test
  void anIndexThatWasTakenInIsNotOlderThanItself() {
    add("taken", "index.creation_date", "1000");
    add("first", "index.creation_date", "10");
    add("said", "index.creation_date", "500", "index.lifecycle.origination_date", "7");
    add("written", "index.creation_date", "900", "index.lifecycle.origination_date", "7");

    assertThat(closed("taken")).isEqualTo(1000); // when it was made: the next one is older
    assertThat(closed("first")).isEqualTo(500);
    assertThat(closed("said")).isEqualTo(7);
    assertThat(closed("written")).isZero();
  }
}
