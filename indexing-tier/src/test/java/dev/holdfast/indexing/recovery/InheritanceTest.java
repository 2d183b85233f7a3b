package dev.holdfast.indexing.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.Routing;
import dev.holdfast.indexing.CountingStore;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Shards that begin with what others have in the store, and processes that die meanwhile.
@Timeout(60)
final class InheritanceTest {
  private static final int DOCUMENTS = 60;

  @TempDir Path folder;

  private final CountingStore store = new CountingStore(new MemoryStore());

  @SuppressWarnings("NullAway.Init")
  private TestIndexingNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
  }

  private void crashAndRestart() throws Exception {
    node.crash();
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
  }

  private static IndexOrigin origin(List<ShardId> shards) {
    return new IndexOrigin(shards.getFirst().index().uuid(), shards.size());
  }

  /// Documents where they are routed to, in some blobs a shard.
  private List<ShardId> written(String name, int shards) throws Exception {
    List<ShardId> made = node.create(name, shards, null);
    for (int i = 0; i < DOCUMENTS; i++) {
      ShardId shard = made.get(Routing.shard("d" + i, null, shards));
      node.done(shard, TestIndexingNode.index("d" + i, "{\"n\":" + i + "}"));
      if (i % 20 == 19) {
        for (ShardId each : made) {
          node.tier.flush(each);
        }
      }
    }
    node.done(made.get(Routing.shard("d7", null, shards)), TestIndexingNode.delete("d7"));
    for (ShardId each : made) {
      node.tier.flush(each);
    }
    return made;
  }

  /// What a search sees in all of the shards, each document in the shard that it is routed to.
  private Map<String, String> documents(List<ShardId> shards) throws Exception {
    Map<String, String> all = new TreeMap<>();
    for (ShardId shard : shards) {
      node.tier.awaitOpen(shard);
      node.tier.refresh(shard);
      node.search
          .documents(shard)
          .forEach((id, source) -> {
            assertThat(Routing.shard(id, null, shards.size())).as(id).isEqualTo(shard.number());
            all.put(id, source);
          });
    }
    return all;
  }

  private List<BlobId> blobs(ShardId shard) throws IOException {
    return new CommitStore(store, shard).list();
  }

  private void until(String what, Check check) throws Exception {
    long deadline = node.world.clock().nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!check.holds()) {
      assertThat(node.world.clock().nanoTime()).as(what).isLessThan(deadline);
      node.world.sleeper().sleep(Duration.ofMillis(5));
    }
  }

  private interface Check {
    boolean holds() throws Exception;
  }

  @Test
  void shardsAreSplitAndShrunkAndNoBlobIsCopiedTwice() throws Exception {
    List<ShardId> two = written("two", 2);
    Map<String, String> before = documents(two);

    List<ShardId> six = node.create("six", 6, origin(two));
    List<ShardId> one = node.create("one", 1, origin(two));

    assertThat(before).hasSize(DOCUMENTS - 1);
    assertThat(documents(six)).isEqualTo(before);
    assertThat(documents(one)).isEqualTo(before);
    int blobs = new CommitStore(store, two.getFirst()).newest().orElseThrow().blobs().size();
    assertThat(store.puts(six.get(4).folder())).isEqualTo(blobs + 1); // its first commit
    // Numbers and versions go on from the highest.
    WriteResult.Done done = node.done(one.getFirst(), TestIndexingNode.index("d8", "{}"));
    assertThat(done.version()).isEqualTo(2);
    assertThat(done.seqNo())
        .isEqualTo(
            1
                + Math.max(
                    node.tier.stats(two.getFirst()).maxSeqNo(),
                    node.tier.stats(two.getLast()).maxSeqNo()));
  }

  @Test
  void whatACrashLeftIsCompletedAndNothingOfAnotherShardIsReplayed() throws Exception {
    // given: the process dies when half is copied
    List<ShardId> two = written("two", 2);
    Map<String, String> before = documents(two);
    store.copiesLeft(2);
    ShardId one = node.create("one", 1, origin(two)).getFirst();
    until("some is copied", () -> blobs(one).size() == 2);
    assertThat(new CommitStore(store, one).newest()).isEmpty();
    // and the log holds what is in no commit
    node.done(two.getFirst(), TestIndexingNode.index("late", "{}"));
    node.crash();
    store.copiesLeft(Integer.MAX_VALUE);
    // when
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
    // then: what was replayed for the origin, and uploaded, may be in it, but as the origin's
    // commit
    Map<String, String> after = documents(List.of(one));
    after.remove("late");
    assertThat(after).isEqualTo(before);
    // when
    node.done(one, TestIndexingNode.index("own", "{}"));
    crashAndRestart();
    // then
    before.put("own", "{}");
    after = documents(List.of(one));
    after.remove("late");
    assertThat(after).isEqualTo(before);
  }

  @Test
  void aCrashDirectlyAfterASplitLosesNothing() throws Exception {
    List<ShardId> one = written("one", 1);
    Map<String, String> before = documents(one);
    List<ShardId> three = node.create("three", 3, origin(one));
    for (ShardId shard : three) {
      node.tier.awaitOpen(shard);
    }
    ShardId own = three.get(Routing.shard("own", null, 3));
    node.done(own, TestIndexingNode.index("own", "{}"));
    node.done(one.getFirst(), TestIndexingNode.index("of the origin", "{}"));

    crashAndRestart();

    before.put("own", "{}");
    assertThat(documents(three)).isEqualTo(before);
  }

  @Test
  void whatWasCopiedOfAnOlderCommitIsDeleted() throws Exception {
    // given: some of a commit is copied, and then there is another
    List<ShardId> one = written("one", 1);
    Map<String, String> before = documents(one);
    store.copiesLeft(1);
    ShardId twin = node.create("twin", 1, origin(one)).getFirst();
    until("some is copied", () -> blobs(twin).size() == 1);
    BlobId old = blobs(twin).getFirst();
    node.tier.forceMerge(one.getFirst(), 1, false);
    // when
    store.copiesLeft(Integer.MAX_VALUE);
    // then
    assertThat(documents(List.of(twin))).isEqualTo(before);
    until("the old copy is gone", () -> !blobs(twin).contains(old));
    assertThat(documents(List.of(twin))).isEqualTo(before);
  }

  @Test
  void aHalfMadeShardOfADeletedIndexLeavesNothing() throws Exception {
    List<ShardId> one = written("one", 1);
    store.copiesLeft(1);
    ShardId twin = node.create("twin", 1, origin(one)).getFirst();
    until("some is copied", () -> blobs(twin).size() == 1);

    node.cluster.update("delete", state -> state.withoutIndex("twin"));

    until("its folder is empty", () -> blobs(twin).isEmpty());
  }

  @Test
  void fieldsThatTheOriginGotMeanwhileAreInTheMapping() throws Exception {
    // given
    List<ShardId> one = written("one", 1);
    store.copiesLeft(0);
    ShardId twin = node.create("twin", 1, origin(one)).getFirst();
    node.done(one.getFirst(), TestIndexingNode.index("late", "{\"late\":true}"));
    node.tier.flush(one.getFirst());
    // when
    store.copiesLeft(Integer.MAX_VALUE);
    node.tier.awaitOpen(twin);
    // then
    assertThat(documents(List.of(twin))).containsKey("late");
    assertThat(node.cluster.current().indices().get("twin").mapping())
        .isEqualTo(node.cluster.current().indices().get("one").mapping());
    assertThat(node.cluster.current().indices().get("twin").mapping().at("/properties/late/type"))
        .hasToString("\"boolean\"");
  }

  /// Once they have commits of their own.
  @Test
  void shardsThatInheritedAreOpenedAsManyAtOnceAsOthers() throws Exception {
    // given
    List<ShardId> one = written("one", 1);
    Map<String, String> before = documents(one);
    List<ShardId> many = node.create("many", 20, origin(one));
    List<ShardId> empty = node.create("empty", 20, null);
    for (List<ShardId> shards : List.of(many, empty)) {
      for (ShardId shard : shards) {
        node.tier.awaitOpen(shard);
      }
    }
    node.crash();
    CountDownLatch reading = new CountDownLatch(1);
    // when
    World world = RealWorld.create();
    List<TestIndexingNode> started = new CopyOnWriteArrayList<>();
    store.holdReaders(reading);
    Tasks.Task starting =
        world
            .tasks()
            .start(
                "start",
                () -> started.add(new TestIndexingNode(store, folder, TestIndexingNode.config())));
    // then: all of them together are as many as are opened at once unasked
    try {
      until("all permits are taken", () -> store.readersHeld() >= 8);
      world.sleeper().sleep(Duration.ofMillis(300));
      assertThat(store.readersHeld()).isEqualTo(8);
    } finally {
      reading.countDown();
      starting.join();
      node = started.getFirst();
      world.tasks().close();
    }
    assertThat(documents(many)).isEqualTo(before);
  }

  @Test
  void aShardWhoseOriginIsGoneDoesNotBeginEmpty() throws Exception {
    ShardId lost = node.create("lost", 1, new IndexOrigin("nowhere", 1)).getFirst();

    node.world.sleeper().sleep(Duration.ofMillis(500));

    assertThatThrownBy(() -> node.tier.stats(lost)).isInstanceOf(Refusal.class);
    assertThat(blobs(lost)).isEmpty();
  }

  @Test
  void aDeletedOriginStaysInTheStoreUntilAllIsCopied() throws Exception {
    List<ShardId> one = written("one", 1);
    Map<String, String> before = documents(one);
    store.copiesLeft(1);
    List<ShardId> two = node.create("two", 2, origin(one));
    until("some is copied", () -> blobs(two.getFirst()).size() + blobs(two.getLast()).size() == 1);
    // when
    node.cluster.update("delete", state -> state.withoutIndex("one"));
    node.world.sleeper().sleep(Duration.ofMillis(300)); // blobs of deleted indices go at once
    store.copiesLeft(Integer.MAX_VALUE);
    // then
    assertThat(documents(two)).isEqualTo(before);
    until("the origin's blobs are gone", () -> blobs(one.getFirst()).isEmpty());
  }

  @Test
  void beforeAnOriginsBlobsGoEachShardIsAskedOnceWhetherItHasCopiedThem() throws Exception {
    // given
    List<ShardId> four = written("four", 4);
    List<ShardId> twin = node.create("twin", 4, origin(four));
    List<ShardId> two = node.create("two", 2, origin(four));
    Map<String, String> before = documents(twin);
    assertThat(documents(two)).isEqualTo(before);
    long asks = asks(twin);
    long asksOfTwo = asks(two);
    // when
    node.cluster.update("delete", state -> state.withoutIndex("four"));
    for (ShardId shard : four) {
      until("the origin's blobs are gone", () -> blobs(shard).isEmpty());
    }
    // then
    assertThat(asks(twin) - asks).isEqualTo(4);
    assertThat(asks(two) - asksOfTwo).isEqualTo(4); // two sources each
  }

  private long asks(List<ShardId> shards) {
    return shards.stream().mapToLong(shard -> store.asks(shard.folder())).sum();
  }

  @Test
  void aStoreThatIsSlowToSayWhatMayBeDeletedKeepsNoUploadWaiting() throws Exception {
    // given
    List<ShardId> one = written("one", 1);
    ShardId twin = node.create("twin", 1, origin(one)).getFirst();
    Map<String, String> before = documents(List.of(twin));
    node.close();
    node =
        new TestIndexingNode(
            store,
            folder,
            TestIndexingNode.config().withUploads(ByteSize.mib(15), 100, Duration.ofMillis(100)));
    node.tier.refresh(twin); // at the end it is searched without another look at the store
    long asks = store.asks(twin.folder());
    CountDownLatch listing = new CountDownLatch(1);
    store.holdLists(twin.folder(), listing);
    // when
    node.cluster.update("delete", state -> state.withoutIndex("one"));
    until("the heir is asked", () -> store.asks(twin.folder()) > asks);
    ShardId other = node.create("other");
    node.done(other, TestIndexingNode.index("a", "{}"));
    long puts = store.puts(other.folder());
    node.tier.refresh(other);
    // then
    until("an upload came by itself", () -> store.puts(other.folder()) > puts);
    assertThat(documents(List.of(twin))).isEqualTo(before);
    listing.countDown();
    until("the origin's blobs are gone", () -> blobs(one.getFirst()).isEmpty());
  }

  @Test
  void theOriginsBlobsGoAndTheShardStays() throws Exception {
    List<ShardId> one = written("one", 1);
    Map<String, String> before = documents(one);
    List<ShardId> two = node.create("two", 2, origin(one));
    assertThat(documents(two)).isEqualTo(before);

    node.cluster.update("delete", state -> state.withoutIndex("one"));
    until("the origin's blobs are gone", () -> blobs(one.getFirst()).isEmpty());
    crashAndRestart();

    assertThat(documents(two)).isEqualTo(before);
    for (ShardId shard : two) {
      node.tier.forceMerge(shard, 1, false);
      until(
          "what it inherited is gone", () -> blobs(shard).stream().noneMatch(BlobId::isInherited));
    }
    assertThat(documents(two)).isEqualTo(before);
  }
}
