package dev.holdfast.indexing.shard;

import static dev.holdfast.indexing.TestIndexingNode.delete;
import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.call.ShardFigure;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.refresh.ReplayDebt;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.budget.Deferrable;
import dev.holdfast.world.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two processors, so a node may owe 20 s and one of its shards 15 s.
class ReplayDebtsTest {
  private static final int FILES_MAX = 1000;
  private static final IndexingConfig CONFIG =
      TestIndexingNode.config().withReplayMax(Duration.ofSeconds(10), FILES_MAX);
  private static final Duration SOME_TICKS = CONFIG.tick().multipliedBy(4);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder;

  private final MemoryStore store = new MemoryStore();

  @SuppressWarnings("NullAway.Init")
  private TestIndexingNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestIndexingNode(store, folder, CONFIG);
    node.awaitShards();
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
  }

  @Test
  void aShardIsUploadedWhenItOwesTooMuch() throws Exception {
    ShardId shard = node.create("books");
    node.tier.flush(shard); // a shard's first upload is nobody's debt
    node.done(shard, index("1", "{\"a\":1}"));
    long before = uploads(shard);

    spend(shard, 14_000);
    node.world.sleeper().sleep(SOME_TICKS);
    assertThat(uploads(shard)).isEqualTo(before);
    spend(shard, 1_000);
    awaitUploads(shard, before + 1);

    // the last second may have come after an upload began: a slow first write is time, too
    await(() -> open(shard).replayDebt.nanos() < Duration.ofSeconds(2).toNanos());
    await(() -> node.tier.stats(shard).figure(ShardFigure.LOG_OPERATIONS) == 0);
    node.crash();
    node = new TestIndexingNode(store, folder, CONFIG);
    node.awaitShards();
    assertThat(replayed(shard)).isZero();
    assertThat(node.source(shard, "1")).isEqualTo("{\"a\":1}");
  }

  @Test
  void theShardThatOwesMostIsUploadedWhenAllTogetherOweTooMuch() throws Exception {
    List<ShardId> shards = new ArrayList<>();
    for (String name : List.of("books", "films", "songs")) {
      ShardId shard = node.create(name);
      node.tier.flush(shard);
      node.done(shard, index("1", "{}"));
      shards.add(shard);
    }
    List<Long> before = new ArrayList<>();
    for (ShardId shard : shards) {
      before.add(uploads(shard));
    }

    spend(shards.get(0), 4_000);
    spend(shards.get(1), 9_000);
    node.world.sleeper().sleep(SOME_TICKS);
    assertThat(uploads(shards.get(1))).isEqualTo(before.get(1));
    spend(shards.get(2), 8_000);
    awaitUploads(shards.get(1), before.get(1) + 1);

    node.world.sleeper().sleep(SOME_TICKS);
    assertThat(uploads(shards.get(0))).isEqualTo(before.get(0));
    assertThat(uploads(shards.get(2))).isEqualTo(before.get(2));
  }

  /// Each write that is waited for has a file of its own, and what another shard writes counts for
  /// those that have anything in the log.
  @Test
  void aShardIsUploadedWhenARecoveryWouldReadTooManyFiles() throws Exception {
    node.close();
    node = new TestIndexingNode(store, folder, CONFIG.withReplayMax(Duration.ofHours(1), 16));
    node.awaitShards();
    ShardId quiet = node.create("films");
    ShardId written = node.create("books");
    node.tier.flush(quiet);
    node.tier.flush(written);
    node.done(quiet, index("1", "{}"));
    long before = uploads(quiet);
    for (int i = 0; i < 12; i++) {
      node.done(written, index("id-" + i, "{}"));
    }
    node.world.sleeper().sleep(SOME_TICKS);
    assertThat(uploads(quiet)).isEqualTo(before);

    for (int i = 0; i < 8; i++) {
      node.done(written, index("id-" + i, "{}"));
    }
    awaitUploads(quiet, before + 1);
    await(() -> node.tier.stats(quiet).figure(ShardFigure.LOG_OPERATIONS) == 0);
    for (int i = 0; i < 20; i++) {
      node.done(written, index("id-" + i, "{}"));
    }
    node.world.sleeper().sleep(SOME_TICKS);
    assertThat(uploads(quiet)).isEqualTo(before + 1); // it has nothing in the log
  }

  /// As when somebody deletes of the log of a node that lives.
  @Test
  void aShardOfWhoseLogAFileHasGoneIsUploadedAndLosesNothing() throws Exception {
    ShardId shard = node.create("books");
    node.tier.flush(shard);
    node.done(shard, index("1", "{\"a\":1}"));
    node.done(shard, index("2", "{\"a\":2}"));
    long before = uploads(shard);
    List<String> files = store.list("log/", "", 1000).stream().map(Listed::key).toList();
    String gone = files.get(files.size() - 2);
    store.deleteAll(List.of(gone));
    long lost = Long.parseLong(gone.substring(gone.lastIndexOf('/') + 1), 16);
    ReplayDebts debts = new ReplayDebts(CONFIG.uploads(), 2, node.pace, 0);

    debts.lookAtLost(List.of(open(shard)), -1);
    node.world.sleeper().sleep(SOME_TICKS);
    assertThat(uploads(shard)).isEqualTo(before);
    debts.lookAtLost(List.of(open(shard)), lost);

    awaitUploads(shard, before + 1);
    await(() -> !open(shard).replayDebt.needs(lost));
    await(() -> node.tier.stats(shard).figure(ShardFigure.LOG_OPERATIONS) == 0);
    node.world.sleeper().sleep(SOME_TICKS); // the state is told
    node.crash();
    node = new TestIndexingNode(store, folder, CONFIG);
    node.awaitShards();
    assertThat(node.source(shard, "1")).isEqualTo("{\"a\":1}");
    assertThat(node.source(shard, "2")).isEqualTo("{\"a\":2}");
  }

  /// Nothing is there to be uploaded of a write that was refused: it must not be due for ever, in
  /// the place of others.
  @Test
  void whatCameToNothingIsPaidForOnce() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{}"));
    node.tier.flush(shard);
    node.tier.flush(shard);
    long before = uploads(shard);
    ReplayDebt debt = open(shard).replayDebt;

    spend(shard, 15_000);
    await(() -> debt.nanos() == 0);
    assertThat(uploads(shard)).isEqualTo(before);
  }

  /// Nothing acknowledged is lost by that: the log has it.
  @Test
  void anUploadThatIsDueWaitsForMoneyAndOneThatIsAskedForDoesNot() throws Exception {
    ShardId shard = node.create("books");
    node.tier.flush(shard);
    node.done(shard, index("1", "{\"a\":1}"));
    node.pace.limit(5e-9);
    long before = uploads(shard);

    spend(shard, 15_000);
    node.world.sleeper().sleep(SOME_TICKS);
    assertThat(uploads(shard)).isEqualTo(before);

    node.tier.flush(shard);
    assertThat(uploads(shard)).isEqualTo(before + 1);
    node.done(shard, index("2", "{\"a\":2}"));
    spend(shard, 15_000);
    node.world.sleeper().sleep(SOME_TICKS);
    assertThat(uploads(shard)).isEqualTo(before + 1);
    node.pace.limit(Double.POSITIVE_INFINITY);
    awaitUploads(shard, before + 2);
  }

  @Test
  void aBatchThatGrowsLargeWaitsForNoMoney() throws Exception {
    node.close();
    node =
        new TestIndexingNode(
            store, folder, CONFIG.withUploads(ByteSize.kib(64), 1000, Duration.ofHours(1)));
    node.awaitShards();
    ShardId shard = node.create("books");
    node.done(shard, index("first", "{}"));
    node.tier.flush(shard);
    node.pace.limit(5e-9);
    long before = uploads(shard);
    String text = "x".repeat(1000);
    for (int i = 0; i < 300 && uploads(shard) == before; i++) {
      node.done(shard, index("id-" + i, "{\"a\":\"" + i + text + "\"}"));
      node.tier.refresh(shard);
    }
    awaitUploads(shard, before + 1);
    assertThat(node.pace.waits(Deferrable.UPLOAD).overdue()).isPositive();
    assertThat(node.pace.waits(Deferrable.UPLOAD).longestSeconds()).isLessThan(20);
  }

  @Test
  void theNewestOperationOfAnIdIsReplayedForAllBeforeIt() throws Exception {
    ShardId shard = node.create("books");
    for (int round = 0; round < 20; round++) {
      for (int id = 0; id < 30; id++) {
        node.done(shard, index("id-" + id, "{\"round\":" + round + "}"));
      }
    }
    node.done(shard, delete("id-7"));
    long owed = open(shard).engine.counters.logOperations.get();

    node.crash();
    node = new TestIndexingNode(store, folder, CONFIG);
    node.awaitShards();

    assertThat(replayed(shard)).isEqualTo(owed).isEqualTo(601);
    assertThat(node.tier.get(shard, "id-7").exists()).isFalse();
    assertThat(node.source(shard, "id-8")).isEqualTo("{\"round\":19}");
    assertThat(node.done(shard, index("id-8", "{}"))).returns(21L, WriteResult.Done::version);
    assertThat(node.done(shard, index("new", "{}"))).returns(602L, WriteResult.Done::seqNo);
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).hasSize(30);
  }

  /// As if writes had kept threads busy for so long.
  private void spend(ShardId shard, long millis) {
    open(shard).engine.counters.indexNanos.add(Duration.ofMillis(millis).toNanos());
  }

  private long uploads(ShardId shard) throws Exception {
    return node.tier.stats(shard).figure(ShardFigure.UPLOADS);
  }

  private void awaitUploads(ShardId shard, long wanted) throws Exception {
    await(() -> uploads(shard) >= wanted);
    assertThat(uploads(shard)).isEqualTo(wanted);
  }

  private void await(Callable<Boolean> isSo) throws Exception {
    long startNanos = node.world.clock().nanoTime();
    while (!isSo.call()) {
      assertThat(node.world.clock().nanoTime() - startNanos).isLessThan(PATIENCE.toNanos());
      node.world.sleeper().sleep(Duration.ofMillis(10));
    }
  }

  private IndexingShard open(ShardId shard) {
    return Objects.requireNonNull(node.tier.openNow(shard));
  }

  private long replayed(ShardId shard) {
    return node.tier.sights().stream()
        .filter(sight -> sight.shard().equals(shard))
        .map(sight -> Objects.requireNonNull(sight.open()).opened().replayed())
        .findFirst()
        .orElseThrow();
  }
}
