package dev.holdfast.api.cluster.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class UnassignedReasonTest {
  private static final IndexId INDEX = new IndexId("a", "uuid-a");
  private static final ShardId SHARD = new ShardId(INDEX, 0);

  private static ClusterState state(long term, Role... roles) {
    IndexMetadata index =
        new IndexMetadata(
            INDEX, 1, new TreeMap<>(), 1, Json.object(), 1, new TreeMap<>(), true, List.of(term));
    Member member =
        new Member(
            "node", "node", "node:1", new TreeSet<>(List.of(roles)), 1, 0, false, Build.here("t"));
    return ClusterState.empty("uuid").withIndex(index).withMember(member);
  }

  @Test
  void aShardThatHadNoOwnerWasJustCreated() {
    assertThat(UnassignedReason.of(state(0, Role.SEARCH), SHARD)).contains("INDEX_CREATED");
    assertThat(UnassignedReason.of(state(0, Role.INDEX), SHARD)).contains("INDEX_CREATED");
  }

  @Test
  void aShardLosesItsOwnerWithTheLastNodeThatMayOwnIt() {
    assertThat(UnassignedReason.of(state(3, Role.SEARCH), SHARD)).contains("NODE_LEFT");
  }

  @Test
  void nothingIsSaidThatTheStateDoesNotTell() {
    ClusterState state = state(3, Role.INDEX);

    assertThat(UnassignedReason.of(state, SHARD)).isEmpty();
    assertThat(
            UnassignedReason.of(
                state.withAssignment(SHARD, ShardAssignment.NONE.withOwner("node")), SHARD))
        .isEmpty();
  }
}
