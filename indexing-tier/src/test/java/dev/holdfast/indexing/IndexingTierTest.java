package dev.holdfast.indexing;

import static dev.holdfast.indexing.TestIndexingNode.append;
import static dev.holdfast.indexing.TestIndexingNode.delete;
import static dev.holdfast.indexing.TestIndexingNode.index;
import static dev.holdfast.indexing.TestIndexingNode.operation;
import static dev.holdfast.indexing.TestIndexingNode.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class IndexingTierTest extends IndexingTierFixture {
  @Test
  void countsVersionsOnOverDeletes() throws Exception {
    ShardId shard = node.create("books");

    assertThat(node.done(shard, index("1", "{\"a\":1}")))
        .returns(Effect.CREATED, WriteResult.Done::effect)
        .returns(1L, WriteResult.Done::version)
        .returns(0L, WriteResult.Done::seqNo);
    assertThat(node.done(shard, index("1", "{\"a\":2}")))
        .returns(Effect.UPDATED, WriteResult.Done::effect)
        .returns(2L, WriteResult.Done::version);
    node.tier.refresh(shard);
    assertThat(node.done(shard, delete("1")))
        .returns(Effect.DELETED, WriteResult.Done::effect)
        .returns(3L, WriteResult.Done::version);
    node.tier.refresh(shard);
    assertThat(node.done(shard, index("1", "{\"a\":3}")))
        .returns(Effect.CREATED, WriteResult.Done::effect)
        .returns(4L, WriteResult.Done::version)
        .returns(3L, WriteResult.Done::seqNo);
    assertThat(node.done(shard, delete("2")).effect()).isEqualTo(Effect.NOT_FOUND);
  }

  @Test
  void oneBulkMayWriteAnIdThrice() throws Exception {
    ShardId shard = node.create("books");

    List<WriteResult> results =
        node.write(
            shard,
            index("1", "{\"n\":1}"),
            index("2", "{\"n\":1}"),
            update("1", "{\"doc\":{\"m\":2}}"),
            delete("2"),
            update("1", "{\"doc\":{\"m\":3}}"),
            operation(Kind.CREATE, "1", "{}", Condition.NONE, 0));

    assertThat(results.subList(0, 5)).allMatch(result -> result instanceof WriteResult.Done);
    assertThat(((WriteResult.Refused) results.get(5)).refusal().reason())
        .isEqualTo("[1]: version conflict, document already exists (current version [3])");
    assertThat(node.source(shard, "1")).isEqualTo("{\"n\":1,\"m\":3}");
    assertThat(node.tier.get(shard, "2").exists()).isFalse();
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).containsOnlyKeys("1");
  }

  @Test
  void aBadDocumentFailsAlone() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("0", "{\"n\":5}"));

    List<WriteResult> results =
        node.write(shard, index("1", "{\"n\":1}"), index("2", "{\"n\":\"x\"}"), index("3", "{}"));

    assertThat(results.get(0)).isInstanceOf(WriteResult.Done.class);
    assertThat(results.get(1)).isInstanceOf(WriteResult.Refused.class);
    assertThat(results.get(2)).isInstanceOf(WriteResult.Done.class);
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).containsOnlyKeys("0", "1", "3");
  }

  @Test
  void updatesMergeAndNoticeWhatChangesNothing() throws Exception {
    ShardId shard = node.create("books");

    assertThatThrownBy(() -> node.done(shard, update("1", "{\"doc\":{\"a\":1}}")))
        .isInstanceOf(Refusal.class)
        .hasMessage("[1]: document missing");
    assertThat(node.done(shard, update("1", "{\"doc\":{\"a\":{\"b\":1}},\"doc_as_upsert\":true}")))
        .returns(Effect.CREATED, WriteResult.Done::effect);
    WriteResult.Done changed = node.done(shard, update("1", "{\"doc\":{\"a\":{\"c\":[2]}}}"));
    assertThat(changed.effect()).isEqualTo(Effect.UPDATED);
    assertThat(SearchCopy.text(changed.source())).isEqualTo("{\"a\":{\"b\":1,\"c\":[2]}}");
    WriteResult.Done noop = node.done(shard, update("1", "{\"doc\":{\"a\":{\"b\":1}}}"));
    assertThat(noop)
        .returns(Effect.NOOP, WriteResult.Done::effect)
        .returns(changed.seqNo(), WriteResult.Done::seqNo)
        .returns(changed.version(), WriteResult.Done::version);
    assertThat(node.done(shard, update("1", "{\"doc\":{\"a\":{\"b\":1}},\"detect_noop\":false}")))
        .returns(Effect.UPDATED, WriteResult.Done::effect);
    assertThat(node.done(shard, update("1", "{\"script\":\"ctx._source.n = 1\"}")))
        .returns(Effect.UPDATED, WriteResult.Done::effect);
    assertThat(node.done(shard, update("1", "{\"script\":\"ctx.op = 'none'\"}")))
        .returns(Effect.NOOP, WriteResult.Done::effect);
    assertThat(node.done(shard, update("1", "{\"script\":\"ctx.op = 'delete'\"}")))
        .returns(Effect.DELETED, WriteResult.Done::effect);
  }

  @Test
  void whatNobodyAskedForIsInNoResult() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));

    WriteResult.Done changed = node.done(shard, update("1", "{\"doc\":{\"a\":2}}").withoutSource());
    WriteResult.Done noop = node.done(shard, update("1", "{\"doc\":{\"a\":2}}").withoutSource());

    assertThat(changed)
        .returns(Effect.UPDATED, WriteResult.Done::effect)
        .returns(null, WriteResult.Done::source);
    assertThat(noop)
        .returns(Effect.NOOP, WriteResult.Done::effect)
        .returns(null, WriteResult.Done::source);
    assertThat(node.source(shard, "1")).isEqualTo("{\"a\":2}");
  }

  /// A few bytes each, but documents of megabytes: they are not all there at once.
  @Test
  void manyUpdatesOfLargeDocumentsAreAllWritten() throws Exception {
    ShardId shard = node.create("books");
    WriteOperation[] updates = new WriteOperation[6];
    for (int id = 0; id < updates.length; id++) {
      node.done(shard, index("" + id, "{\"t\":\"" + "x".repeat(1_500_000) + "\"}"));
      updates[id] = update("" + id, "{\"doc\":{\"new\":" + id + "}}").withoutSource();
    }

    List<WriteResult> results = node.write(shard, updates);

    assertThat(results).hasSize(updates.length).allMatch(WriteResult.Done.class::isInstance);
    for (int id = 0; id < updates.length; id++) {
      assertThat(node.source(shard, "" + id)).endsWith("\"new\":" + id + "}");
    }
  }

  @Test
  void anAppendedDocumentIsFoundByIdAtOnce() throws Exception {
    ShardId shard = node.create("logs");
    node.done(shard, append("auto-1", "{\"m\":\"hello\"}"));

    assertThat(node.source(shard, "auto-1")).isEqualTo("{\"m\":\"hello\"}");
    assertThat(node.done(shard, delete("auto-1")).effect()).isEqualTo(Effect.DELETED);
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).isEmpty();
  }

  @Test
  void nothingAcknowledgedIsLostInACrash() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("kept", "{\"a\":1}"));
    node.done(shard, index("gone", "{\"a\":1}"));
    node.tier.flush(shard);
    node.done(shard, index("kept", "{\"a\":2}"));
    node.done(shard, delete("gone"));
    WriteResult.Done last = node.done(shard, append("late", "{\"b\":3}"));

    crashAndRestart();

    assertThat(node.tier.get(shard, "kept"))
        .returns(2L, found -> found.version())
        .returns(2L, found -> found.seqNo())
        .returns(1L, found -> found.primaryTerm());
    assertThat(node.source(shard, "kept")).isEqualTo("{\"a\":2}");
    assertThat(node.source(shard, "late")).isEqualTo("{\"b\":3}");
    assertThat(node.tier.get(shard, "gone").exists()).isFalse();
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).containsOnlyKeys("kept", "late");
    assertThat(node.done(shard, index("new", "{}")))
        .returns(last.seqNo() + 1, WriteResult.Done::seqNo)
        .returns(2L, WriteResult.Done::primaryTerm);
  }

  @Test
  void aZombieAcknowledgesNothingAfterItsSuccessorStarted() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    TestIndexingNode zombie = node;
    zombie.data.close(); // its lock is lost, its threads live
    node =
        new TestIndexingNode(store, folder, folder.resolve("successor"), TestIndexingNode.config());
    node.awaitShards(); // what was acknowledged before is replayed

    assertThatThrownBy(() -> zombie.done(shard, index("1", "{\"a\":2}")))
        .isInstanceOf(Exception.class);

    assertThat(node.source(shard, "1")).isEqualTo("{\"a\":1}");
    zombie.world.tasks().close();
  }

  @Test
  void aZombieDoesNotFenceTheLogOfItsSuccessor() throws Exception {
    // given a node that stands still while it opens a shard
    node.close();
    CountDownLatch isFrozen = new CountDownLatch(1);
    CountingStore frozen = new CountingStore(store);
    frozen.holdLists("shards/", isFrozen);
    TestIndexingNode zombie = new TestIndexingNode(frozen, folder, TestIndexingNode.config());
    ShardId shard = zombie.create("books");
    Thread demand =
        Thread.ofVirtual().start(() -> assertThatThrownBy(() -> zombie.source(shard, "1")));
    while (frozen.lists(shard.folder()) == 0 && demand.isAlive()) {
      Thread.onSpinWait();
    }
    // when its successor has opened the shard, and written to it
    zombie.data.close();
    node =
        new TestIndexingNode(store, folder, folder.resolve("successor"), TestIndexingNode.config());
    node.awaitShards();
    node.done(shard, index("1", "{\"a\":1}"));
    isFrozen.countDown();
    // then the zombie finds what is newer than its term, and leaves the living alone
    assertThatThrownBy(() -> zombie.source(shard, "1")).isInstanceOf(Exception.class);
    assertThat(node.done(shard, index("1", "{\"a\":2}")).version()).isEqualTo(2);
    assertThat(node.evictions).isEmpty();
    zombie.world.tasks().close();
  }

  @Test
  void aShardThatFailsIsOpenedAnewWithAllItsDocuments() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.tier.refresh(shard);
    node.done(shard, index("2", "{\"a\":1}"));

    Objects.requireNonNull(node.tier.openNow(shard))
        .engine
        .fail(new java.io.IOException("disk on fire"));

    assertThat(node.source(shard, "2")).isEqualTo("{\"a\":1}");
    assertThat(node.done(shard, index("3", "{\"a\":1}")))
        .returns(2L, WriteResult.Done::seqNo)
        .returns(2L, WriteResult.Done::primaryTerm);
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).containsOnlyKeys("1", "2", "3");
  }

  @Test
  void aCleanStopLeavesNothingToReplay() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.close();

    CompoundCommit newest = new CommitStore(store, shard).newest().orElseThrow();
    assertThat(newest.maxSeqNo()).isEqualTo(0);
    assertThat(newest.documents()).isEqualTo(1);
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).containsOnlyKeys("1");
  }

  @Test
  void whoAwaitsARefreshDuringTheOneThatShowsTheWriteIsServedByIt() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.search.arrivals.drainPermits();
    Thread waiting;
    synchronized (node.search) {
      Thread.ofVirtual().start(() -> unchecked(() -> node.tier.refresh(shard)));
      node.search.arrivals.acquire(); // the commit is made, its notice is not answered yet
      waiting = Thread.ofPlatform().start(() -> unchecked(() -> node.tier.awaitRefresh(shard)));
      while (waiting.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }

    assertThat(waiting.join(Duration.ofSeconds(10))).as("awaitRefresh returned").isTrue();
    assertThat(node.search.documents(shard)).containsOnlyKeys("1");
  }

  @Test
  void aDeleteOfNothingCanBeAwaited() throws Exception {
    node.close();
    node =
        new TestIndexingNode(
            store, folder, TestIndexingNode.config().withRefreshInterval(Duration.ofMillis(50)));
    ShardId shard = node.create("books");
    assertThat(node.done(shard, delete("1")).effect()).isEqualTo(Effect.NOT_FOUND);

    Thread waiting = Thread.ofVirtual().start(() -> unchecked(() -> node.tier.awaitRefresh(shard)));

    assertThat(waiting.join(Duration.ofSeconds(10))).as("awaitRefresh returned").isTrue();
  }

  private interface Action {
    void run() throws Exception;
  }

  private static void unchecked(Action action) {
    try {
      action.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aShardIsGivenAwayWithoutWaitingForASearchCopyThatDoesNotAnswer() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.tier.refresh(shard);
    node.done(shard, index("1", "{\"a\":2}"));
    Thread closing;
    boolean isClosed = false;
    synchronized (node.search) {
      closing =
          Thread.ofVirtual()
              .start(() ->
                  unchecked(() -> {
                    var _ = node.cluster.update("close", s -> withOpen(s, false));
                    while (node.tier.openNow(shard) != null) {
                      node.world.sleeper().sleep(Duration.ofMillis(2));
                    }
                  }));
      isClosed = closing.join(Duration.ofSeconds(10));
    }

    assertThat(isClosed).as("all was uploaded and the shard closed").isTrue();
    assertThat(new CommitStore(store, shard).newest().orElseThrow().translog())
        .isEqualTo(TranslogPosition.NOTHING_TO_REPLAY);
  }

  @Test
  void tooManyBytesInFlightAreRefused() throws Exception {
    node.close();
    node =
        new TestIndexingNode(
            store,
            folder,
            TestIndexingNode.config()
                .withMemory(ByteSize.mib(1), ByteSize.mib(1), new ByteSize(100)));
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));

    assertThatThrownBy(() -> node.write(shard, index("1", "{\"a\":\"" + "x".repeat(200) + "\"}")))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(429));
  }

  @Test
  void manyWritersOfOneDocumentAllCount() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("hot", "{\"n\":0}"));
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int thread = t;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; i < 10; i++) {
                  try {
                    node.done(
                        shard,
                        operation(
                            Kind.UPDATE,
                            "hot",
                            "{\"doc\":{\"f" + thread + "\":" + i + "}}",
                            Condition.NONE,
                            1000));
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(node.tier.get(shard, "hot").version()).isEqualTo(41);
    assertThat(node.source(shard, "hot")).contains("\"f0\":9", "\"f1\":9", "\"f2\":9", "\"f3\":9");
  }
}
