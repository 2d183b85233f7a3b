package dev.holdfast.indexing.relocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.Routing;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.translog.WriteOrigin;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Shards that give documents to new ones, on one node.
@Timeout(120)
final class ShardDivisionTest {
  private static final int DOCUMENTS = 100;
  private static final Duration PAUSE = Duration.ofMillis(2);

  @TempDir Path folder;

  private final ObjectStore store = new MemoryStore();

  /// A copy that is late was given up.
  private final CountDownLatch isGivenUp = new CountDownLatch(1);

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

  private IndexMetadata index() {
    return Objects.requireNonNull(node.cluster.current().indices().get("books"));
  }

  private ShardId at(String id) {
    IndexMetadata index = index();
    return new ShardId(index.id(), Routing.shard(id, null, index.layout(), index.settings()));
  }

  /// As a node that routes does it.
  private WriteResult.Done write(WriteOperation operation) throws Exception {
    while (true) {
      try {
        return node.done(at(operation.id()), operation);
      } catch (Refusal e) {
        if (!ShardNotHere.is(e)) {
          throw e;
        }
        node.world.sleeper().sleep(PAUSE);
      }
    }
  }

  private void split(int to) throws InterruptedException {
    var _ = node.cluster.update("split", state -> OnlineSplit.begun(state, index().id(), to));
  }

  private void awaitShards(int shards) throws InterruptedException {
    while (index().shards() < shards) {
      node.world.sleeper().sleep(PAUSE);
    }
  }

  /// What a search sees in all shards, each document in the shard that it is routed to.
  private Map<String, String> documents() throws Exception {
    Map<String, String> all = new TreeMap<>();
    IndexMetadata index = index();
    for (int number = 0; number < index.shards(); number++) {
      ShardId shard = new ShardId(index.id(), number);
      node.tier.awaitOpen(shard);
      node.tier.refresh(shard);
      node.search
          .documents(shard)
          .forEach((id, source) -> {
            assertThat(at(id)).isEqualTo(shard);
            all.put(id, source);
          });
    }
    return all;
  }

  private Map<String, String> written(int documents) throws Exception {
    Map<String, String> written = new TreeMap<>();
    for (int i = 0; i < documents; i++) {
      String json = "{\"n\":" + i + "}";
      var _ = write(TestIndexingNode.index("d" + i, json));
      written.put("d" + i, json);
    }
    return written;
  }

  @Test
  void documentsGoToTheNewShardsWithTheirVersionsAndNumbers() throws Exception {
    // given
    node.create("books", 1, null);
    Map<String, String> written = written(DOCUMENTS);
    WriteResult.Done second = write(TestIndexingNode.index("d3", "{\"n\":-3}"));
    written.put("d3", "{\"n\":-3}");
    // when
    split(4);
    awaitShards(4);
    // then
    assertThat(documents()).isEqualTo(written);
    assertThat(index().setting("index.number_of_shards", "")).isEqualTo("4");
    for (String id : written.keySet()) {
      assertThat(node.tier.get(at(id), id).version()).isEqualTo(id.equals("d3") ? 2 : 1);
    }
    assertThat(node.tier.get(at("d3"), "d3").seqNo()).isEqualTo(second.seqNo());
    assertThat(node.tier.get(at("d3"), "d3").primaryTerm()).isEqualTo(second.primaryTerm());
    // and: what is written from now on is later than all before
    WriteResult.Done third = write(TestIndexingNode.index("d3", "{\"n\":3}"));
    assertThat(third.version()).isEqualTo(3);
    assertThat(third.seqNo()).isGreaterThan(second.seqNo());
    assertThat(third.primaryTerm()).isGreaterThan(second.primaryTerm());
  }

  @Test
  void whatIsWrittenMeanwhileIsThereOnceAndWhereItBelongs() throws Exception {
    // given
    node.create("books", 2, null);
    Map<String, String> written = new ConcurrentSkipListMap<>(written(DOCUMENTS));
    AtomicBoolean isOver = new AtomicBoolean();
    Tasks.Task writer =
        node.world
            .tasks()
            .start(
                "writer",
                () -> {
                  for (int i = 0; !isOver.get(); i++) {
                    String id = "d" + i % (2 * DOCUMENTS);
                    String json = "{\"n\":" + i + ",\"again\":true}";
                    var _ = write(TestIndexingNode.index(id, json));
                    written.put(id, json);
                  }
                });
    // when
    split(6);
    awaitShards(6);
    isOver.set(true);
    writer.join();
    // then
    assertThat(documents()).isEqualTo(written);
  }

  @Test
  void aProcessThatDiesLeavesNothingHalfDone() throws Exception {
    node.create("books", 1, null);
    Map<String, String> written = written(DOCUMENTS);
    split(8);
    for (int shards = 2; shards < 8; shards += 2) {
      awaitShards(shards);
      crashAndRestart();
      String id = "after-" + shards;
      var _ = write(TestIndexingNode.index(id, "{}"));
      written.put(id, "{}");
    }
    awaitShards(8);
    assertThat(documents()).isEqualTo(written);
    crashAndRestart();
    assertThat(documents()).isEqualTo(written);
  }

  @Test
  void aChangeThatComesLateDividesNothing() throws Exception {
    // given: nobody knows what became of a division
    node.create("books", 1, null);
    Map<String, String> written = written(DOCUMENTS);
    node.changes.hold(" is divided");
    split(2);
    while (!node.changes.isAnyHeld()) {
      node.world.sleeper().sleep(PAUSE);
    }
    // when: the shard is written to meanwhile
    for (int i = 0; i < DOCUMENTS; i++) {
      var _ = write(TestIndexingNode.index("late-" + i, "{}"));
      written.put("late-" + i, "{}");
    }
    node.changes.comeLate();
    // then
    assertThat(index().shards()).isOne();
    // and: the next try has all documents
    node.changes.letGo();
    awaitShards(2);
    assertThat(documents()).isEqualTo(written);
  }

  /// The store, which makes some copies late and does not say so.
  ///
  /// @param isHeld whether it is so of an object
  /// @param isAsked for such a copy
  /// @param isWell from then on it makes all
  private ObjectStore withoutCopies(
      Predicate<String> isHeld, CountDownLatch isAsked, CountDownLatch isWell) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (_, method, arguments) -> {
              if (method.getName().equals("copy") && isHeld.test((String) arguments[0])) {
                isAsked.countDown();
                try {
                  isWell.await();
                } catch (InterruptedException e) {
                  isGivenUp.countDown();
                  Thread.currentThread().interrupt();
                  throw new StoreException.Unavailable("interrupted", e);
                }
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }

  @Test
  void aShardWhoseBlobsAreNotCopiedIsClosedWhenItIsTo() throws Exception {
    // given
    node.close();
    CountDownLatch isAsked = new CountDownLatch(1);
    node =
        new TestIndexingNode(
            withoutCopies(_ -> true, isAsked, new CountDownLatch(1)),
            folder,
            TestIndexingNode.config());
    node.create("books", 1, null);
    var _ = written(1);
    split(2);
    isAsked.await();
    // when
    var _ =
        node.cluster.update(
            "close",
            state ->
                state.withIndex(
                    Objects.requireNonNull(state.indices().get("books")).withOpen(false)));
    // then
    while (node.tier.openShardCount() > 0) {
      node.world.sleeper().sleep(PAUSE);
    }
    assertThat(index().shards()).isOne();
  }

  @Test
  void writesDoNotWaitForACopyThatTheStoreDoesNotMake() throws Exception {
    // given: all that there is has been uploaded, and what comes later is not copied
    node.close();
    Set<String> known = ConcurrentHashMap.newKeySet();
    CountDownLatch isAsked = new CountDownLatch(1);
    CountDownLatch isWell = new CountDownLatch(1);
    node =
        new TestIndexingNode(
            withoutCopies(key -> !known.contains(key), isAsked, isWell),
            folder,
            TestIndexingNode.config());
    node.create("books", 1, null);
    Map<String, String> written = written(DOCUMENTS);
    node.tier.flush(at("d0"));
    store.list(at("d0").folder(), "", 1_000).forEach(blob -> known.add(blob.key()));
    // when: the last commit is
    split(2);
    isAsked.await();
    var _ = write(TestIndexingNode.index("late", "{}"));
    written.put("late", "{}");
    // then
    assertThat(index().shards()).isOne();
    // and: it is tried again
    isWell.countDown();
    awaitShards(2);
    assertThat(documents()).isEqualTo(written);
  }

  @Test
  void aSplitThatIsGivenUpEndsItsCopiesAndMayBeBegunAnew() throws Exception {
    // given: copies that the store does not make
    node.close();
    CountDownLatch isAsked = new CountDownLatch(1);
    CountDownLatch isWell = new CountDownLatch(1);
    node =
        new TestIndexingNode(
            withoutCopies(_ -> true, isAsked, isWell), folder, TestIndexingNode.config());
    node.create("books", 1, null);
    Map<String, String> written = written(DOCUMENTS);
    split(2);
    isAsked.await();
    // when
    var _ = node.cluster.update("give up", state -> OnlineSplit.givenUp(state, index().id()));
    // then
    isGivenUp.await();
    assertThat(written).isEqualTo(documents());
    assertThat(index().shards()).isOne();
    // and
    isWell.countDown();
    split(2);
    awaitShards(2);
    assertThat(documents()).isEqualTo(written);
  }

  @Test
  void anIndexThatNobodyHasWrittenToIsSplitToo() throws Exception {
    node.create("books", 1, null);
    split(3);
    awaitShards(3);
    assertThat(documents()).isEmpty();
    assertThat(written(DOCUMENTS)).isEqualTo(documents());
  }

  @Test
  void aShardThatGaveADocumentAwaySaysSoInsteadOfMissingIt() throws Exception {
    node.create("books", 1, null);
    Map<String, String> written = written(DOCUMENTS);
    ShardId source = at("d0");
    split(2);
    awaitShards(2);
    node.awaitShards();
    String moved =
        written.keySet().stream().filter(id -> at(id).number() == 1).findFirst().orElseThrow();
    assertThatThrownBy(() -> node.tier.get(source, IndexSplit.NEVER, moved))
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(ShardNotHere.is(e)).isTrue());
    assertThatThrownBy(() -> node.done(source, TestIndexingNode.index(moved, "{}")))
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(ShardNotHere.is(e)).isTrue());
    long since = index().dividedSince(0);
    assertThat(node.tier.get(source, since, moved).exists()).isFalse();
    assertThat(node.tier.get(at(moved), since, moved).exists()).isTrue();
  }

  @Test
  void aWriteThatIsSentAgainToTheNewShardIsNotDoneAgain() throws Exception {
    // given: a write of some documents to the source, whose answer is lost
    node.create("books", 1, null);
    Map<String, String> written = written(1);
    ShardId source = at("d0");
    WriteOrigin origin = new WriteOrigin(WriteOrigin.node(node.cluster.nodeEphemeralId()), 7, 7);
    List<WriteOperation> operations =
        List.of(
            TestIndexingNode.index("a", "{}"),
            TestIndexingNode.index("b", "{}"),
            TestIndexingNode.index("c", "{}"),
            TestIndexingNode.index("e", "{}"));
    List<WriteResult> first = node.tier.write(source, WriteAttempt.first(origin), operations);
    // when
    split(2);
    awaitShards(2);
    // then: each is answered by the shard that has its document now, as it was
    for (int i = 0; i < operations.size(); i++) {
      WriteAttempt again = WriteAttempt.first(origin).next().at(List.of(i));
      WriteOperation operation = operations.get(i);
      WriteResult result =
          node.tier.write(at(operation.id()), again, List.of(operation)).getFirst();
      assertThat(result).isEqualTo(first.get(i));
      assertThat(node.tier.get(at(operation.id()), operation.id()).version()).isOne();
      written.put(operation.id(), "{}");
    }
    assertThat(documents()).isEqualTo(written);
  }
}
