package dev.holdfast.clusterstate.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Shards of an index that is being split move one after the other, with time between.
final class RestingIndicesTest {
  private static final IndexMetadata BOOKS = TestCluster.index("books", 4, 0);

  private final RestingIndices indices = new RestingIndices();
  private Duration now = Duration.ofSeconds(1);

  private static Member member(String id) {
    return new Member(
        id, id, id + ":9200", new TreeSet<>(List.of(Role.INDEX)), 1, 0, false, Build.here("test"));
  }

  /// One member has all shards, another has just come back.
  private static ClusterState oneSided() {
    ClusterState state =
        ClusterState.empty("cluster")
            .withCustom("minimum_version", IntNode.valueOf(Formats.ONLINE_SPLIT))
            .withMember(member("a"))
            .withMember(member("b"))
            .withIndex(BOOKS);
    for (int number = 0; number < 4; number++) {
      state =
          state.withAssignment(
              new ShardId(BOOKS.id(), number), new ShardAssignment("a", "", new TreeMap<>()));
    }
    return state;
  }

  private static IndexMetadata books(ClusterState state) {
    return Objects.requireNonNull(state.indices().get("books"));
  }

  private static ClusterState divided(ClusterState state) {
    ShardId zero = new ShardId(BOOKS.id(), 0);
    long term = state.primaryTerm(zero) + 1;
    return OnlineSplit.divided(
        state, zero, books(state).shards(), "a", new IndexSplit.Part(0, term, 0, 0));
  }

  private static long moving(ClusterState state) {
    return Allocation.shards(state).stream()
        .filter(shard -> !state.assignment(shard).target().isEmpty())
        .count();
  }

  private ClusterState next(ClusterState state) {
    return Allocation.next(
        state,
        new AllocationInputs(
            new TreeMap<>(), null, new TreeMap<>(), indices.of(state, now.toNanos())));
  }

  @Test
  void othersMoveTwoShardsAtATime() {
    assertThat(moving(next(oneSided()))).isEqualTo(2);
  }

  @Test
  void afterAPauseNoShardMovesForAWhileAndThenOne() {
    // given
    ClusterState split = OnlineSplit.begun(oneSided(), BOOKS.id(), 8);
    now = now.plus(RestingIndices.REST);
    assertThat(moving(next(split))).isZero();
    now = now.plus(RestingIndices.REST);
    // when
    ClusterState state = divided(split);
    // then
    assertThat(moving(next(state))).isZero();
    now = now.plus(RestingIndices.REST.minusMillis(1));
    assertThat(moving(next(state))).isZero();
    now = now.plusMillis(1);
    ClusterState moved = next(state);
    assertThat(moving(moved)).isOne();
    assertThat(moving(next(moved))).isOne();
  }

  @Test
  void pausesThatComeAgainAndAgainDoNotKeepShardsForEver() {
    ClusterState state = OnlineSplit.begun(oneSided(), BOOKS.id(), 8);
    assertThat(moving(next(state))).isZero();
    Duration passed = Duration.ZERO;
    while (moving(next(state)) == 0) {
      now = now.plusSeconds(10);
      passed = passed.plusSeconds(10);
      state = IndexingAllocation.withNextTerm(state, new ShardId(BOOKS.id(), 1));
      assertThat(passed).isLessThanOrEqualTo(RestingIndices.REST_MAX);
    }
    assertThat(passed).isEqualTo(RestingIndices.REST_MAX);
  }

  @Test
  void aMemberThatIsToStopIsNotWaitedFor() {
    ClusterState state = OnlineSplit.begun(oneSided(), BOOKS.id(), 8);
    Member draining = Objects.requireNonNull(state.members().get("a")).draining();
    assertThat(moving(next(state.withMember(draining)))).isEqualTo(4);
  }
}
