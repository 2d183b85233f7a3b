package dev.holdfast.search.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StaleTarget;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RenewedTargetsTest {
  private static final IndexId BOOKS = new IndexId("books", "u");

  /// 0 was divided into 0 and 1 under term 2, into 0 and 2 under term 5, 1 into 1 and 3 under 7.
  private static final IndexSplit SPLIT =
      new IndexSplit(
          1,
          2,
          4,
          List.of(
              new IndexSplit.Part(0, 2, 1, 1),
              new IndexSplit.Part(0, 5, 4, 1),
              new IndexSplit.Part(1, 7, 6, 1)));

  private static ClusterState state(int shards, @Nullable IndexSplit split) {
    IndexMetadata index =
        new IndexMetadata(
            BOOKS,
            shards,
            new TreeMap<>(),
            1,
            Json.object(),
            1,
            new TreeMap<>(),
            true,
            Collections.nCopies(shards, 9L));
    return ClusterState.empty("c").withIndex(index.withSplit(split));
  }

  private static ShardTarget target(int number, long since) {
    return new ShardTarget(new ShardId(BOOKS, number), null, null, null, -1, since);
  }

  @Test
  void aShardIsFollowedByThoseThatHaveItsDocumentsNow() {
    ClusterState state = state(4, SPLIT);
    assertThat(RenewedTargets.of(state, List.of(target(0, IndexSplit.NEVER))))
        .containsExactly(target(0, 5), target(1, 7), target(2, 5), target(3, 7));
    assertThat(RenewedTargets.of(state, List.of(target(0, 2), target(1, 2))))
        .containsExactly(target(0, 5), target(2, 5), target(1, 7), target(3, 7));
    assertThat(RenewedTargets.of(state, List.of(target(1, 2))))
        .containsExactly(target(1, 7), target(3, 7));
  }

  /// A slice that is begun after the division has, of each of the new shards, what one that was
  /// begun before left of the old one.
  @Test
  void slicesAreCutAsTheyWereBefore() {
    // given
    ShardTarget.Slice second = new ShardTarget.Slice(1, 2, null);
    ShardTarget one = target(0, 2).part(second);
    ShardTarget other = target(1, 2).part(second);
    // when
    List<ShardTarget> renewed =
        RenewedTargets.of(state(4, SPLIT), List.of(one.placed(0, 2), other.placed(1, 2)));
    // then
    assertThat(renewed.stream().map(target -> target.shard().number())).containsExactly(0, 2, 1, 3);
    assertThat(renewed.stream().map(ShardTarget::slice))
        .containsExactly(
            new ShardTarget.Slice(1, 2, null, 0, 2),
            new ShardTarget.Slice(1, 2, null, 0, 2),
            new ShardTarget.Slice(1, 2, null, 1, 2),
            new ShardTarget.Slice(1, 2, null, 1, 2));
    assertThat(renewed.getLast().placed(7, 9)).isEqualTo(renewed.getLast());
    assertThat(TargetJson.target(TargetJson.target(renewed.getLast())))
        .isEqualTo(renewed.getLast());
  }

  @Test
  void whatIsNewestPinnedOrGoneStays() {
    ShardTarget pinned =
        target(0, IndexSplit.NEVER).at(new ContextId("node", 1, ShardContexts.Kind.SCROLL, ""));
    List<ShardTarget> newest = List.of(target(0, 5), target(2, 5), pinned);
    assertThat(RenewedTargets.of(state(4, SPLIT), newest)).isEqualTo(newest);
    List<ShardTarget> never = List.of(target(0, IndexSplit.NEVER));
    assertThat(RenewedTargets.of(state(1, null), never)).isEqualTo(never);
    assertThat(RenewedTargets.of(ClusterState.empty("c"), never)).isEqualTo(never);
  }

  @Test
  void whoHasLeftWaitsForNoState() {
    ClusterState unknowing = state(1, null);
    Metadata metadata =
        (Metadata)
            Proxy.newProxyInstance(
                Metadata.class.getClassLoader(),
                new Class<?>[] {Metadata.class},
                (_, _, _) -> unknowing);
    World world = RealWorld.create();
    RenewedTargets targets = new RenewedTargets(world, metadata);
    StopSignal left = StopSignal.of(() -> true, world.clock());
    RenewedTargets.Asking<Integer> asking =
        now -> {
          throw StaleTarget.of(now.getFirst().shard());
        };
    List<ShardTarget> asked = List.of(target(0, IndexSplit.NEVER));
    assertThatThrownBy(() -> left.<Integer, Exception>during(() -> targets.run(asked, asking)))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED));
  }
}
