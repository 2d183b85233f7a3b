package dev.holdfast.clusterstate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OnlineSplitTest {
  private static final String OWNER = "node-1";

  private static ClusterState state(IndexMetadata... indices) {
    ClusterState state =
        ClusterState.empty("c")
            .withCustom("minimum_version", IntNode.valueOf(Formats.ONLINE_SPLIT));
    for (IndexMetadata index : indices) {
      state = state.withIndex(index);
      for (int number = 0; number < index.shards(); number++) {
        state =
            state.withAssignment(
                new ShardId(index.id(), number), new ShardAssignment(OWNER, "", new TreeMap<>()));
      }
    }
    return state;
  }

  private static IndexMetadata books(ClusterState state) {
    return Objects.requireNonNull(state.indices().get("books"));
  }

  private static IndexSplit split(ClusterState state) {
    return Objects.requireNonNull(books(state).split());
  }

  /// The next step, as the owner of its source makes it.
  private static ClusterState stepped(ClusterState state) {
    IndexMetadata index = books(state);
    int target = index.shards();
    ShardId source = new ShardId(index.id(), split(state).nextSource(target));
    long term = index.primaryTerms().get(source.number());
    return OnlineSplit.divided(
        state, source, target, OWNER, new IndexSplit.Part(source.number(), term + 1, term, 7));
  }

  @ParameterizedTest
  @CsvSource({"1,2", "1,4", "2,6", "3,6"})
  void shardsComeOneAtATimeUntilAllAreThere(int from, int to) {
    // given
    ClusterState state = state(TestCluster.index("books", from, 1));
    // when
    state = OnlineSplit.begun(state, books(state).id(), to);
    // then
    for (int shards = from; shards < to; shards++) {
      assertThat(books(state).layout()).isEqualTo(new ShardLayout(shards, from, to));
      ClusterState before = state;
      state = stepped(state);
      IndexMetadata now = books(state);
      int source = shards % from;
      assertThat(now.shards()).isEqualTo(shards + 1);
      assertThat(now.setting("index.number_of_shards", "")).isEqualTo("" + (shards + 1));
      assertThat(now.primaryTerms().get(source))
          .isEqualTo(books(before).primaryTerms().get(source) + 1)
          .isEqualTo(now.primaryTerms().get(shards))
          .isEqualTo(now.dividedSince(source))
          .isEqualTo(now.dividedSince(shards));
      assertThat(state.assignment(new ShardId(now.id(), shards)).owner()).isEqualTo(OWNER);
    }
    assertThat(split(state).isUnderWay(to)).isFalse();
    for (int number = 0; number < to; number++) {
      assertThat(OnlineSplit.isNextSource(books(state), number)).isFalse();
    }
  }

  @Test
  void whatAShardWasMadeOfIsKnownOverSeveralSplits() {
    ClusterState state = state(TestCluster.index("books", 1, 1));
    for (int to : List.of(2, 4)) {
      state = OnlineSplit.begun(state, books(state).id(), to);
      while (books(state).shards() < to) {
        state = stepped(state);
      }
    }
    IndexMetadata index = books(state);
    IndexSplit split = split(state);
    // 0 -> 1 under term 1; 0 -> 2 under term 2; 1 -> 3 under term 2
    assertThat(split.parts())
        .containsExactly(
            new IndexSplit.Part(0, 1, 0, 7),
            new IndexSplit.Part(0, 2, 1, 7),
            new IndexSplit.Part(1, 2, 1, 7));
    assertThat(split.madeOf(0, IndexSplit.NEVER)).containsExactly(1, 2, 3);
    assertThat(split.madeOf(0, 1)).containsExactly(2);
    assertThat(split.madeOf(1, 1)).containsExactly(3);
    assertThat(split.madeOf(1, 2)).isEmpty();
    assertThat(split.sources(3)).containsExactly(1, 0);
    assertThat(split.sources(0)).isEmpty();
    assertThat(split.dividedSince(0, 1)).isEqualTo(1);
    assertThat(split.dividedSince(0, 0)).isEqualTo(IndexSplit.NEVER);
    assertThat(split.dividedSince(0)).isEqualTo(2);
    assertThat(index.shardsAtFirst()).isEqualTo(1);
  }

  @Test
  void aStepThatWasMadeOrIsOfAnotherOwnerOrTermChangesNothing() {
    ClusterState begun = state(TestCluster.index("books", 2, 1));
    begun = OnlineSplit.begun(begun, books(begun).id(), 4);
    ShardId source = new ShardId(books(begun).id(), 0);
    IndexSplit.Part part = new IndexSplit.Part(0, 1, 0, 0);
    ClusterState after = OnlineSplit.divided(begun, source, 2, OWNER, part);
    assertThat(books(after).shards()).isEqualTo(3);
    assertThat(OnlineSplit.divided(after, source, 2, OWNER, part)).isSameAs(after);
    assertThat(OnlineSplit.divided(begun, source, 2, "node-2", part)).isSameAs(begun);
    assertThat(OnlineSplit.divided(begun, source, 2, OWNER, new IndexSplit.Part(0, 2, 0, 0)))
        .isSameAs(begun);
    assertThat(OnlineSplit.divided(begun, new ShardId(source.index(), 1), 2, OWNER, part))
        .isSameAs(begun);
    ClusterState closed = begun.withIndex(books(begun).withOpen(false));
    assertThat(OnlineSplit.divided(closed, source, 2, OWNER, part)).isSameAs(closed);
  }

  @Test
  void aSplitIsGivenUpAsLongAsNoShardIsThere() {
    ClusterState never = state(TestCluster.index("books", 2, 1));
    IndexId id = books(never).id();
    assertThat(OnlineSplit.givenUp(never, id)).isSameAs(never);
    ClusterState begun = OnlineSplit.begun(never, id, 4);
    // when: before the first shard
    ClusterState given = OnlineSplit.givenUp(begun, id);
    // then: the index is as before, and a step that was under way changes nothing
    assertThat(books(given)).isEqualTo(books(never));
    assertThat(OnlineSplit.givenUp(given, id)).isSameAs(given);
    IndexSplit.Part part = new IndexSplit.Part(0, 1, 0, 0);
    assertThat(OnlineSplit.divided(given, new ShardId(id, 0), 2, OWNER, part)).isSameAs(given);
    // and: later it is refused
    ClusterState one = stepped(begun);
    assertThatThrownBy(() -> OnlineSplit.givenUp(one, id))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("has [3] of [4] shards");
    // and: of a second split the first is kept
    ClusterState twice = OnlineSplit.begun(stepped(one), id, 8);
    IndexMetadata kept = books(OnlineSplit.givenUp(twice, id));
    assertThat(kept.layout()).isEqualTo(ShardLayout.of(4));
    assertThat(kept.shardsWanted()).isEqualTo(4);
    assertThat(kept.shardsAtFirst()).isEqualTo(2);
    assertThat(kept.dividedSince(0)).isEqualTo(books(twice).dividedSince(0));
    // and: it can be split again
    assertThat(split(OnlineSplit.begun(OnlineSplit.givenUp(twice, id), id, 12)).to()).isEqualTo(12);
  }

  @Test
  void itTravelsWholeAndInDifferences() {
    ClusterState before = state(TestCluster.index("books", 2, 1));
    ClusterState now = stepped(OnlineSplit.begun(before, books(before).id(), 4)).at(1, 1);

    ClusterState whole = StateJson.full(Json.parse(Json.bytes(StateJson.full(now))));
    ClusterState changed = StateJson.apply(before, StateJson.delta(before, now));

    for (ClusterState state : List.of(whole, changed)) {
      assertThat(books(state).split()).isEqualTo(books(now).split());
      assertThat(books(state).shards()).isEqualTo(3);
    }
    assertThat(StateJson.index(books(now)).path("split").toString())
        .isEqualTo("{\"base\":2,\"from\":2,\"to\":4,\"parts\":[[0,1,0,7]]}");
  }

  @Test
  void whatCannotBeSplitSaysWhy() {
    ClusterState state = state(TestCluster.index("books", 2, 1));
    IndexId id = books(state).id();
    assertRefused(state, 2, "must be less that the number of target shards [2]");
    assertRefused(state, 3, "the number of source shards [2] must be a factor of [3]");
    assertRefused(state, 2048, "must be <= 1024");
    assertRefused(
        state.withCustom("minimum_version", IntNode.valueOf(Formats.ONLINE_SPLIT - 1)),
        4,
        "need a cluster that speaks version 4");
    assertRefused(state.withIndex(books(state).withOpen(false)), 4, "closed");
    assertRefused(OnlineSplit.begun(state, id, 4), 8, "has [2] of [4] shards");
    ClusterState begun = OnlineSplit.begun(state, id, 4);
    assertThat(OnlineSplit.begun(begun, id, 4)).isSameAs(begun);
    IndexMetadata copy =
        TestCluster.index("copy", 2, 1).withOrigin(new IndexOrigin(id.uuid(), 2), List.of(0L, 0L));
    assertRefused(state.withIndex(copy), 4, "index [copy] is still being made of another");
  }

  private static void assertRefused(ClusterState state, int to, String why) {
    assertThatThrownBy(() -> OnlineSplit.begun(state, books(state).id(), to))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(why);
  }

  @Test
  void aRestoredIndexGoesOnWithItsSplit() {
    ClusterState state = state(TestCluster.index("books", 2, 1));
    state = stepped(OnlineSplit.begun(state, books(state).id(), 4));
    assertThat(split(state).restored(3)).isEqualTo(new IndexSplit(3, 2, 4, List.of()));
  }
}
