package dev.holdfast.clusterstate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.world.Json;
import org.junit.jupiter.api.Test;

class UploadMarksTest {
  private final ClusterState empty =
      ClusterState.empty("cluster").withIndex(TestCluster.index("books", 3, 1));
  private final IndexId books = empty.indices().get("books").id();
  private final ShardId second = new ShardId(books, 1);

  @Test
  void marksAndBoundsSurviveTheirJson() throws Exception {
    UploadMark mark = UploadMark.of(3, 1L << 40, 17, "node-a");
    ClusterState state = UploadMarks.with(empty, second, mark);
    state = UploadMarks.with(state, new ShardId(books, 2), mark.withLost("log/a/1", "missing"));
    state = UploadMarks.with(state, "node-a", new LogBounds(4, 9));

    ClusterState full = StateJson.full(Json.parse(StateJson.full(state).toString()));
    ClusterState applied =
        StateJson.apply(empty, Json.parse(StateJson.delta(empty, state).toString()));

    for (ClusterState read : new ClusterState[] {full, applied}) {
      assertThat(read).isEqualTo(state);
      assertThat(UploadMarks.of(read, second)).isEqualTo(mark);
      assertThat(UploadMarks.of(read, new ShardId(books, 0))).isEqualTo(UploadMark.NONE);
      assertThat(UploadMarks.lost(read)).containsExactly(new ShardId(books, 2));
      assertThat(UploadMarks.bounds(read, "node-a")).isEqualTo(new LogBounds(4, 9));
      assertThat(UploadMarks.bounds(read, "node-b")).isNull();
      assertThat(UploadMarks.needsLog(read, "node-a")).isTrue();
      assertThat(UploadMarks.needsLog(read, "node-b")).isFalse();
    }
  }

  @Test
  void aShardThatLacksAnObjectIsNotWaitedForUntilTheLossIsAccepted() {
    UploadMark mark = UploadMark.of(3, 5, 17, "node-a").withLost("shards/x", "it is missing");
    ClusterState state = UploadMarks.with(empty, second, mark);

    assertThat(state.whyNotOpen(second)).hasMessageContaining("shards/x");
    assertThat(state.whyNotOpen(new ShardId(books, 0))).isNull();
    assertThat(UploadMarks.with(state, second, mark.withAcceptedLoss()).whyNotOpen(second))
        .isNull();
  }

  @Test
  void marksGoWithTheirIndex() {
    ClusterState state = UploadMarks.with(empty, second, UploadMark.of(3, 5, 17, "node-a"));

    assertThat(state.withoutIndex("books").customs().keySet()).noneMatch(UploadMarks::isOne);
    assertThat(UploadMarks.withoutBounds(state, "node-b")).isSameAs(state);
  }
}
