package dev.holdfast.api.document;

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
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.node.FixedState;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class CurrentDocumentTest {
  private static final String OWNER = "node";
  private static final RealTimeDocument THERE = new RealTimeDocument(true, 3, 1, 1, null, null);

  private final List<Integer> asked = new ArrayList<>();

  /// Shards of which one has the document.
  private IndexingReads shards(int number) {
    return (IndexingReads)
        Proxy.newProxyInstance(
            IndexingReads.class.getClassLoader(),
            new Class<?>[] {IndexingReads.class},
            (_, _, arguments) -> {
              int wanted = ((ShardId) arguments[0]).number();
              asked.add(wanted);
              return wanted == number ? THERE : RealTimeDocument.missing();
            });
  }

  private static ClusterState ofOneShard() {
    IndexMetadata books = TestCluster.index("books", 1, 1);
    return ClusterState.empty("c")
        .withCustom("minimum_version", IntNode.valueOf(Formats.ONLINE_SPLIT))
        .withIndex(books)
        .withAssignment(
            new ShardId(books.id(), 0), new ShardAssignment(OWNER, "", new TreeMap<>()));
  }

  private static IndexMetadata books(ClusterState state) {
    return Objects.requireNonNull(state.indices().get("books"));
  }

  private static ClusterState divided(ClusterState state) {
    ShardId source = new ShardId(books(state).id(), 0);
    long term = books(state).primaryTerms().getFirst();
    return OnlineSplit.divided(
        OnlineSplit.begun(state, source.index(), 2),
        source,
        1,
        OWNER,
        new IndexSplit.Part(0, term + 1, term, 7));
  }

  @Test
  void isFoundInTheShardThatHasGotItMeanwhile() throws Exception {
    // given: a request that knows the index before its shard was divided
    ClusterState before = ofOneShard();
    FixedState now = new FixedState(divided(before));
    // when
    RealTimeDocument found = CurrentDocument.of(now, shards(1), books(before), "2", null);
    // then
    assertThat(asked).containsExactly(0, 1);
    assertThat(found.exists()).isTrue();
  }

  @Test
  void isMissingWhereItStillBelongs() throws Exception {
    ClusterState before = ofOneShard();
    FixedState now = new FixedState(divided(before));
    RealTimeDocument found = CurrentDocument.of(now, shards(1), books(before), "3", null);
    assertThat(asked).containsExactly(0);
    assertThat(found.exists()).isFalse();
  }
}
