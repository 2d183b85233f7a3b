package dev.holdfast.clusterstate.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// When a member that stops has given away what others can hold.
final class DrainingTest {
  private static final ClusterState ONE_SHARD =
      ClusterState.empty("cluster").at(1, 1).withIndex(TestCluster.index("books", 1, 1));

  private static final ShardId SHARD = new ShardId(ONE_SHARD.indices().get("books").id(), 0);

  private static Member member(String id, Role... roles) {
    return new Member(
        id, id, id + ":9200", new TreeSet<>(List.of(roles)), 1 << 30, 0, false, Build.here("test"));
  }

  private static ClusterState with(Member... members) {
    ClusterState state = ONE_SHARD;
    for (Member member : members) {
      state = state.withMember(member);
    }
    return state;
  }

  private static ClusterState at(ClusterState state, String owner, String copy) {
    return state.withAssignment(
        SHARD, ShardAssignment.NONE.withOwner(owner).withCopy(copy, Copy.STARTED));
  }

  @Test
  void anOwnerIsDoneWhenAnotherOwns() {
    ClusterState two = with(member("a", Role.INDEX), member("b", Role.INDEX));

    assertThat(Draining.isDone(at(two, "a", "s"), "a")).isFalse();
    assertThat(Draining.isUseful(at(two, "a", "s"), "a")).isTrue();
    assertThat(Draining.isDone(at(two, "b", "s"), "a")).isTrue();
    assertThat(Draining.isUseful(at(two, "b", "s"), "a")).isFalse();
  }

  @Test
  void aSearchNodeIsDoneWhenItHasNoCopy() {
    ClusterState two = with(member("a", Role.SEARCH), member("b", Role.SEARCH));

    assertThat(Draining.isDone(at(two, "i", "a"), "a")).isFalse();
    assertThat(Draining.isDone(at(two, "i", "b"), "a")).isTrue();
  }

  @Test
  void theLastOfItsRoleKeepsWhatNobodyElseCanHold() {
    ClusterState apart = with(member("a", Role.INDEX), member("b", Role.SEARCH));

    assertThat(Draining.isDone(at(apart, "a", "b"), "a")).isTrue();
    assertThat(Draining.isUseful(at(apart, "a", "b"), "a")).isFalse();
    assertThat(Draining.isDone(at(apart, "a", "b"), "b")).isTrue();
  }

  @Test
  void whoDrainsTooTakesNothing() {
    ClusterState both = with(member("a", Role.INDEX), member("b", Role.INDEX).draining());

    assertThat(Draining.isUseful(at(both, "a", "s"), "a")).isFalse();
    assertThat(Draining.isDone(at(both, "a", "s"), "a")).isTrue();
  }

  @Test
  void aMemberBeginsOnceAndNobodyElseDoes() {
    ClusterState two = with(member("a", Role.INDEX), member("b", Role.INDEX));

    ClusterState begun = Draining.begin(two, "a");

    assertThat(begun.members().get("a").isDraining()).isTrue();
    assertThat(begun.members().get("b").isDraining()).isFalse();
    assertThat(Draining.begin(begun, "a")).isSameAs(begun);
    assertThat(Draining.begin(two, "c")).isSameAs(two);
    assertThat(Draining.isUseful(two, "c")).isFalse();
  }
}
