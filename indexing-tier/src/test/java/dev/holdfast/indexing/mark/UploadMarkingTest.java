package dev.holdfast.indexing.mark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.node.IndexingConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When the cluster state hears of what is in the store.
@Timeout(60)
final class UploadMarkingTest extends IndexingTierFixture {
  private static final IndexingConfig SELDOM =
      TestIndexingNode.config().withMarkEvery(Duration.ofHours(1));

  /// Whoever writes to it would wait for that.
  @Test
  void aShardThatIsOpenedAgainIsToldOfBeforeAnybodyWrites() throws Exception {
    node.close();
    node = new TestIndexingNode(store, folder, SELDOM);
    ShardId shard = node.create("books");
    node.done(shard, TestIndexingNode.index("1", "{}"));
    node.crash();

    node = new TestIndexingNode(store, folder, SELDOM);
    node.awaitShards();

    long term = node.cluster.current().primaryTerm(shard);
    while (UploadMarks.of(node.cluster.current(), shard).primaryTerm() < term) {
      node.world.sleeper().sleep(Duration.ofMillis(10));
    }
    assertThat(term).isEqualTo(2);
  }
}
