package dev.holdfast.api.ilm.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BackgroundMergesTest {
  private final World world = RealWorld.create();
  private volatile ClusterState state = ClusterState.empty("c");
  private final BackgroundMerges merges =
      new BackgroundMerges(
          world.tasks(),
          () -> state,
          (IndexingShards)
              Proxy.newProxyInstance(
                  IndexingShards.class.getClassLoader(),
                  new Class<?>[] {IndexingShards.class},
                  (_, _, _) -> {
                    throw Refusal.badArgument("no room");
                  }));

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  private void fail(IndexMetadata index) throws InterruptedException {
    String _ = merges.begin(index, 1);
    assertThat(
            Await.until(
                world,
                Duration.ofSeconds(30),
                Duration.ofMillis(5),
                () -> !merges.isRunning(index)))
        .isTrue();
  }

  @Test
  void whyAMergeFailedIsToldOnce() throws Exception {
    IndexMetadata there = TestCluster.index("there", 1, 0);
    state = state.withIndex(there);
    fail(there);

    assertThat(merges.failure(there)).hasMessageContaining("no room");
    assertThat(merges.failure(there)).isNull();
  }

  /// Nobody will ask why.
  @Test
  void failuresOfDeletedIndicesAreForgotten() throws Exception {
    IndexMetadata there = TestCluster.index("there", 1, 0);
    state = state.withIndex(there);
    fail(TestCluster.index("deleted", 1, 0));
    assertThat(merges.untold()).isZero();

    fail(there);
    assertThat(merges.untold()).isEqualTo(1);
    state = ClusterState.empty("c");
    fail(TestCluster.index("another", 1, 0));
    assertThat(merges.untold()).isZero();
  }
}
