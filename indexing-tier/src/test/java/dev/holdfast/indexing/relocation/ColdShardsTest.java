package dev.holdfast.indexing.relocation;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/// Shards that cost nothing because nobody uses them.
class ColdShardsTest extends IndexingTierFixture {
  @Test
  void aNewShardHasNothingInTheStoreBeforeItIsFirstUsed() throws Exception {
    // when
    ShardId shard = node.create("books");
    node.tier.awaitOpen(shard);
    node.tier.refresh(shard);

    // then
    assertThat(node.tier.openShardCount()).isZero();
    assertThat(node.tier.stats(shard).documents()).isZero();
    assertThat(new CommitStore(store, shard).list()).isEmpty();

    // and: its first write opens it
    node.done(shard, index("1", "{\"a\":1}"));
    assertThat(node.tier.openShardCount()).isOne();
    assertThat(node.tier.openShardIds()).containsExactly(shard);
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).containsOnlyKeys("1");
  }

  @Test
  void whatWasStoppedCleanlyStaysInTheStoreUntilSomebodyWantsIt() throws Exception {
    // given
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.done(shard, index("2", "{\"a\":1}"));
    node.close();
    List<BlobId> before = new CommitStore(store, shard).list();

    // when
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
    await(() -> node.tier.hollowShards() == 1);

    // then: it is known, and nothing was written
    assertThat(node.tier.loads()).containsOnlyKeys(shard);
    assertThat(node.tier.openShardIds()).isEmpty();
    assertThat(node.tier.openShardCount()).isZero();
    assertThat(node.tier.stats(shard).documents()).isEqualTo(2);
    assertThat(node.tier.stats(shard).maxSeqNo()).isEqualTo(1);
    assertThat(new CommitStore(store, shard).list()).isEqualTo(before);

    // and: whoever wants it has it
    assertThat(node.source(shard, "1")).isEqualTo("{\"a\":1}");
    assertThat(node.done(shard, index("3", "{\"a\":1}")).seqNo()).isEqualTo(2);
  }

  /// Searches need no more than the commit: the first one after a start had waited for an opening.
  @Test
  void aSearchOpensNoShardThatNeedsNoReplay() throws Exception {
    // given
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.close();
    BlobId newest = new CommitStore(store, shard).list().getFirst();

    // when it is asked for at once
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
    CommitNotice told = node.tier.newest(shard, "searching", node.cluster.current().version());

    // then
    assertThat(told.commit().home()).isEqualTo(newest);
    assertThat(node.tier.hollowShards()).isOne();
    assertThat(node.tier.openShardIds()).isEmpty();
  }

  @Test
  void whatTheStateKnowsIsMissedThoughNobodyWantsTheShard() throws Exception {
    // given
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.close();
    CommitStore commits = new CommitStore(store, shard);
    commits.delete(List.of(commits.list().getFirst()));

    // when
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
    await(() -> !UploadMarks.lost(node.cluster.current()).isEmpty());

    // then: it is not well before anybody has asked for it
    assertThat(UploadMarks.lost(node.cluster.current())).containsExactly(shard);
    assertThat(node.tier.hollowShards()).isZero();
    assertThatThrownBy(() -> node.tier.stats(shard)).isInstanceOf(Refusal.class);
  }

  private void await(Callable<Boolean> isSo) throws Exception {
    long startNanos = node.world.clock().nanoTime();
    while (!isSo.call()) {
      assertThat(node.world.clock().nanoTime() - startNanos)
          .isLessThan(Duration.ofSeconds(30).toNanos());
      node.world.sleeper().sleep(Duration.ofMillis(10));
    }
  }
}
