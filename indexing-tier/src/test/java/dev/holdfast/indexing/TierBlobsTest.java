package dev.holdfast.indexing;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.call.ShardFigure;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class TierBlobsTest extends IndexingTierFixture {
  @Test
  void anIdleShardCostsNoPut() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.tier.flush(shard);
    node.world.sleeper().sleep(Duration.ofMillis(400)); // the state is told of the upload
    long before = store.puts();

    for (int i = 0; i < 5; i++) {
      node.tier.refresh(shard);
      node.tier.flush(shard);
      node.tier.awaitRefresh(shard);
    }
    node.world.sleeper().sleep(Duration.ofMillis(400)); // several ticks

    assertThat(store.puts()).isEqualTo(before);
  }

  @Test
  void refreshesCostNoPutUntilTheBatchIsFull() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("0", "{\"a\":0}"));
    node.tier.flush(shard); // with what it uploads when it is first used
    long before = store.puts("shards/");
    for (int i = 0; i < 20; i++) {
      node.done(shard, index("" + i, "{\"a\":1}"));
      node.tier.refresh(shard);
      assertThat(node.search.documents(shard)).hasSize(i + 1);
    }
    assertThat(store.puts("shards/")).isEqualTo(before);
    node.tier.flush(shard);
    assertThat(store.puts("shards/")).isEqualTo(before + 1);
    assertThat(node.search.documents(shard)).hasSize(20);
    assertThat(node.tier.stats(shard))
        .returns(20L, ShardStats::documents)
        .returns(21L, stats -> stats.figure(ShardFigure.INDEXED))
        .returns(0L, stats -> stats.figure(ShardFigure.LOG_OPERATIONS));
  }

  @Test
  void deletesOldBlobsAndNeverOneThatTheNewestCommitNeeds() throws Exception {
    ShardId shard = node.create("books");
    CommitStore commits = new CommitStore(store, shard);
    for (int round = 0; round < 12; round++) {
      for (int i = 0; i < 5; i++) {
        node.done(shard, index("" + i, "{\"round\":" + round + "}"));
      }
      node.tier.flush(shard);
      assertThat(commits.list()).containsAll(commits.newest().orElseThrow().blobs());
    }
    node.tier.forceMerge(shard, 1, false);

    // No further write: what is old goes by itself.
    long deadline = System.nanoTime() + 5_000_000_000L;
    while (!commits.list().equals(needed(commits)) && System.nanoTime() < deadline) {
      node.world.sleeper().sleep(Duration.ofMillis(20));
    }
    assertThat(commits.list()).isEqualTo(needed(commits));
    crashAndRestart();
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).hasSize(5);
  }

  private static List<BlobId> needed(CommitStore commits) throws IOException {
    return commits.newest().orElseThrow().blobs().reversed().stream().toList();
  }

  /// A store may refuse to delete for as long as it likes: it is asked until it does.
  @Test
  @Timeout(60)
  void blobsThatCannotBeDeletedHoldNoUploadUp() throws Exception {
    node.close();
    node =
        new TestIndexingNode(
            store,
            folder,
            TestIndexingNode.config().withUploads(ByteSize.mib(15), 1, Duration.ofHours(1)));
    ShardId shard = node.create("books");
    CountDownLatch deletions = new CountDownLatch(1);
    store.holdDeletions(deletions);
    for (int round = 0; store.deletionsHeld() == 0; round++) {
      node.done(shard, index("1", "{\"round\":" + round + "}"));
      node.tier.flush(shard);
      node.world.sleeper().sleep(Duration.ofMillis(20));
    }
    long before = store.puts("shards/");

    node.done(shard, index("2", "{\"a\":1}"));
    node.tier.refresh(shard);
    while (store.puts("shards/") == before) {
      node.world.sleeper().sleep(Duration.ofMillis(20));
    }

    assertThat(store.deletionsHeld()).as("still waits").isPositive();
    deletions.countDown();
  }

  @Test
  void aDeletedIndexLeavesNoBlob() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.tier.flush(shard);

    node.cluster.update("delete", state -> state.withoutIndex("books"));

    assertThatThrownBy(() -> node.done(shard, index("1", "{}"))).isInstanceOf(Refusal.class);
    long deadline = System.nanoTime() + 5_000_000_000L;
    while (!store.list(shard.folder(), "", 10).isEmpty() && System.nanoTime() < deadline) {
      node.world.sleeper().sleep(Duration.ofMillis(20));
    }
    assertThat(store.list(shard.folder(), "", 10)).isEmpty();
  }

  /// As of objects that somebody has locked.
  @Test
  @Timeout(60)
  void aDeletedIndexWhoseBlobsStayKeepsThoseOfNoOther() throws Exception {
    node.close();
    AtomicReference<String> locked = new AtomicReference<>("none");
    AtomicInteger refused = new AtomicInteger();
    ObjectStore locking =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("deleteAll")
                      && String.valueOf(arguments[0]).contains(locked.get())) {
                    refused.incrementAndGet();
                    throw new StoreException.Denied("locked", null);
                  }
                  try {
                    return method.invoke(store, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    node = new TestIndexingNode(locking, folder, TestIndexingNode.config());
    ShardId books = node.create("books");
    ShardId films = node.create("films");
    for (ShardId shard : List.of(books, films)) {
      node.done(shard, index("1", "{\"a\":1}"));
      node.tier.flush(shard);
    }

    locked.set(books.folder());
    node.cluster.update("delete", state -> state.withoutIndex("books"));
    while (refused.get() == 0) {
      node.world.sleeper().sleep(Duration.ofMillis(20));
    }
    node.cluster.update("delete", state -> state.withoutIndex("films"));
    while (!store.list(films.folder(), "", 10).isEmpty()) {
      node.world.sleeper().sleep(Duration.ofMillis(20));
    }

    assertThat(store.list(books.folder(), "", 10)).isNotEmpty();
    locked.set("none");
    while (!store.list(books.folder(), "", 10).isEmpty()) {
      node.world.sleeper().sleep(Duration.ofMillis(20));
    }
  }

  @Test
  void aClosedIndexOpensAgain() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.cluster.update("close", s -> withOpen(s, false));
    assertThatThrownBy(
            () -> {
              while (true) {
                node.tier.refresh(shard);
              }
            })
        .isInstanceOf(Refusal.class);
    node.cluster.update("open", s -> withOpen(s, true));

    assertThat(node.source(shard, "1")).isEqualTo("{\"a\":1}");
    assertThat(node.done(shard, index("1", "{\"a\":2}")).version()).isEqualTo(2);
  }

  @Test
  @Timeout(60)
  void whoReadsWhileAShardIsClosedAndOpenedWaitsForIt() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    AtomicBoolean isDone = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(threads.submit(() -> reads(shard, isDone)));
      }
      for (int i = 0; i < 100; i++) {
        node.cluster.update("close", s -> withOpen(s, false));
        awaitOpenShards(0);
        node.cluster.update("open", s -> withOpen(s, true));
        awaitOpenShards(1);
      }
      isDone.set(true);
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    }
  }

  private void awaitOpenShards(int many) throws InterruptedException {
    while (node.tier.openShardCount() != many) {
      node.world.sleeper().sleep(Duration.ofMillis(1));
    }
  }

  private int reads(ShardId shard, AtomicBoolean isDone) throws Exception {
    int reads = 0;
    while (!isDone.get() || reads == 0) {
      try {
        assertThat(node.source(shard, "1")).isEqualTo("{\"a\":1}");
        reads++;
      } catch (Refusal e) {
        assertThat(e.type()).isEqualTo(ErrorType.INDEX_CLOSED);
      }
    }
    return reads;
  }
}
