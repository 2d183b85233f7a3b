package dev.holdfast.api.search.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.node.FixedState;
import dev.holdfast.search.Searches;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ShardFilterTest {
  private final World world = RealWorld.create();

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  /// A filter that matches in the index `b`. Each shard answers when another is asked beside it.
  private ShardFilter filter() {
    CyclicBarrier beside = new CyclicBarrier(2);
    Searches searches =
        (Searches)
            Proxy.newProxyInstance(
                Searches.class.getClassLoader(),
                new Class<?>[] {Searches.class},
                (proxy, method, arguments) -> {
                  int _ = beside.await();
                  ShardId shard = (ShardId) arguments[0];
                  return Json.object().put("matches", shard.index().name().equals("b"));
                });
    return new ShardFilter(world, new FixedState(ClusterState.empty("c")), searches, Json.object());
  }

  @Test
  void shardsAreAskedSideBySide() throws Exception {
    ShardTarget a = ShardTarget.of(TestCluster.index("a", 1, 0), 0);
    ShardTarget b = ShardTarget.of(TestCluster.index("b", 1, 0), 0);

    assertThat(filter().targets(List.of(a, b, b, a))).containsExactly(b, b);
  }

  @Test
  void soAreIndices() throws Exception {
    IndexMetadata a = TestCluster.index("a", 1, 0);
    IndexMetadata b = TestCluster.index("b", 3, 0);

    assertThat(filter().indices(List.of(b, a))).containsExactly(b);
  }
}
