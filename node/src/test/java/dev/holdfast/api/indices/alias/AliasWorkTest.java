package dev.holdfast.api.indices.alias;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What one request may do to the state, which has many indices.
final class AliasWorkTest {
  private static final int INDICES = 1_000;

  private final ClusterState state = state();

  private static ClusterState state() {
    SortedMap<String, IndexMetadata> indices = new TreeMap<>();
    for (int i = 0; i < INDICES; i++) {
      IndexMetadata index =
          new IndexMetadata(
              new IndexId("i" + i, "u" + i),
              1,
              new TreeMap<>(),
              1,
              Json.object(),
              1,
              new TreeMap<>(),
              true,
              List.of(0L));
      indices.put("i" + i, index);
    }
    return ClusterState.empty("cluster").withIndices(indices);
  }

  private static AliasWork left(long steps) {
    AliasWork work = new AliasWork();
    work.add(AliasWork.STEPS_MAX - steps);
    return work;
  }

  /// Hundreds of thousands of actions, each for one of thousands of indices, would copy them all as
  /// often.
  @Test
  void namesOfOtherIndicesThatAreCopiedCount() {
    AliasChange add = new AliasChange.Add("i0", "a", Json.object());
    AliasChange remove = new AliasChange.Remove("i0", List.of("a"), false);

    assertThatThrownBy(() -> add.apply(state, left(INDICES / 5)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("too much for one request");
    assertThatThrownBy(() -> remove.apply(state, left(INDICES / 5)))
        .hasMessageContaining("too much for one request");

    ClusterState added = add.apply(state, left(INDICES));
    assertThat(aliased(added)).isOne();
    assertThat(aliased(remove.apply(added, left(INDICES)))).isZero();
  }

  @Test
  void aPatternChangesAllAtOnce() {
    AliasChange add = new AliasChange.Add("i*", "a", Json.object());

    ClusterState added = add.apply(state, left(3L * INDICES));

    assertThat(aliased(added)).isEqualTo(INDICES);
    assertThat(added.indices()).hasSize(INDICES);
  }

  private static long aliased(ClusterState state) {
    return state.indices().values().stream().filter(i -> i.aliases().containsKey("a")).count();
  }
}
