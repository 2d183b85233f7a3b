package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.node.FixedState;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Refreshes of a shard that was divided while it was written.
final class DividedShardsTest {
  private static final IndexMetadata BOOKS = TestCluster.index("books", 1, 0);
  private static final ShardId ZERO = new ShardId(BOOKS.id(), 0);

  private final World world = RealWorld.create();
  private final DividedShards divided = new DividedShards(world, new FixedState(split()));

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  /// The index has four shards by now, of one.
  private static ClusterState split() {
    ClusterState state =
        ClusterState.empty("cluster")
            .withCustom("minimum_version", IntNode.valueOf(Formats.ONLINE_SPLIT))
            .withIndex(BOOKS)
            .withAssignment(ZERO, new ShardAssignment("me", "", new TreeMap<>()));
    state = OnlineSplit.begun(state, BOOKS.id(), 4);
    for (int target = 1; target < 4; target++) {
      long term = state.primaryTerm(ZERO) + 1;
      state = OnlineSplit.divided(state, ZERO, target, "me", new IndexSplit.Part(0, term, 0, 0));
    }
    assertThat(Objects.requireNonNull(state.indices().get("books")).shards()).isEqualTo(4);
    return state;
  }

  private static ShardId shard(int number) {
    return new ShardId(BOOKS.id(), number);
  }

  private void divert(int number) {
    divided.diverted(ZERO, shard(number));
    divided.ended(ZERO, shard(number));
  }

  @Test
  void areOfAllShardsThatItsWritesWentToSideBySideAndOnce() throws Exception {
    // given: new shards that searches have seen
    for (int number = 1; number < 4; number++) {
      divided.refresh(shard(number), _ -> {});
      divert(number);
    }
    // when: none ends before all have begun
    CyclicBarrier all = new CyclicBarrier(4);
    Set<ShardId> refreshed = ConcurrentHashMap.newKeySet();
    divided.refresh(
        ZERO,
        shard -> {
          refreshed.add(shard);
          try {
            int _ = all.await(10, TimeUnit.SECONDS);
          } catch (Exception e) {
            throw new IllegalStateException("one after the other", e);
          }
        });
    // then
    assertThat(refreshed).containsExactlyInAnyOrder(ZERO, shard(1), shard(2), shard(3));
    // and: who comes later has written to the shards that there are
    AtomicInteger later = new AtomicInteger();
    divided.refresh(ZERO, _ -> later.incrementAndGet());
    assertThat(later.get()).isOne();
  }

  @Test
  void showADivisionFirst() throws Exception {
    Set<ShardId> refreshed = ConcurrentHashMap.newKeySet();
    divided.refresh(shard(2), refreshed::add);
    assertThat(refreshed).containsExactlyInAnyOrder(ZERO, shard(2));
    refreshed.clear();
    divided.refresh(shard(2), refreshed::add);
    assertThat(refreshed).containsExactly(shard(2));
  }
}
