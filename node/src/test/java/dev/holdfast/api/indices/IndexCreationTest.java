package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Indices that are made when answers get lost.
final class IndexCreationTest {
  private final World world = World.real();

  /// Each change is made, its answer is lost, another deletes `source`, and it is made again.
  private static final class Forgetful implements Metadata {
    private ClusterState state =
        ClusterState.empty("cluster").withIndex(TestCluster.index("source", 1, 1));

    @Override
    public ClusterState current() {
      return state;
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      state = change.apply(change.apply(state).withoutIndex("source"));
      return state;
    }

    @Override
    public void listen(Listener listener) {
      listener.changed(state, state);
    }
  }

  @Test
  void anIndexThatIsMadeAgainNeedsItsSourceNoMore() throws Exception {
    Metadata metadata = new Forgetful();
    IndexCreation creation = new IndexCreation(world, metadata, new StandardMappings());

    IndexMetadata made =
        creation.createAs(
            "twin",
            new TreeMap<>(),
            Json.object(),
            Json.object(),
            (state, index) -> {
              if (!state.indices().containsKey("source")) {
                throw Refusal.indexNotFound("source");
              }
              return index;
            });

    assertThat(metadata.current().indices()).containsOnlyKeys("twin").containsValue(made);
  }
}
