package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.Routing;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.query.inspection.MatchInspection;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.routing.TestTiers.TestNode;
import dev.holdfast.search.SearchTier;
import dev.holdfast.search.context.ContextIds;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StaleTarget;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Indices of several nodes that get more shards while they are written and searched (decision
/// 031). Whoever writes here names the one shard that there was at first.
@Timeout(120)
final class OnlineSplitTiersTest {
  private static final int DOCUMENTS = 200;

  @TempDir Path folder;
  private TestTiers tiers;

  @BeforeEach
  void open() {
    tiers = new TestTiers(folder);
  }

  @AfterEach
  void close() throws Exception {
    tiers.close();
  }

  private static ShardId filled(TestNode node) throws Exception {
    ShardId zero = node.create("books", 1, 1);
    for (int i = 0; i < DOCUMENTS; i++) {
      done(node.index(zero, "d" + i, "{\"a\":1}"));
    }
    node.indexing.refresh(zero);
    return zero;
  }

  private static WriteResult.Done done(WriteResult result) {
    return switch (result) {
      case WriteResult.Done done -> done;
      case WriteResult.Refused refused -> throw refused.refusal();
    };
  }

  private static IndexMetadata index(TestNode node) {
    return Objects.requireNonNull(node.state().indices().get("books"));
  }

  private static void split(TestNode node, int to) throws InterruptedException {
    var _ =
        node.member.node.update("split", state -> OnlineSplit.begun(state, index(node).id(), to));
  }

  private void awaitShards(TestNode node, int shards) throws InterruptedException {
    tiers.cluster.until(shards + " shards", () -> index(node).shards() >= shards);
  }

  private static ShardId at(TestNode node, String id) {
    IndexMetadata index = index(node);
    return new ShardId(index.id(), Routing.shard(id, null, index.layout(), index.settings()));
  }

  private static void refreshAll(TestNode node) throws Exception {
    IndexMetadata index = index(node);
    for (int number = 0; number < index.shards(); number++) {
      node.indexing.refresh(new ShardId(index.id(), number));
    }
  }

  /// Runs until it is told to end; what it throws is thrown then.
  private static final class Loop {
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Tasks.Task task;

    Loop(TestNode node, String name, Tasks.Work work) {
      task =
          node.member
              .ownWorld
              .tasks()
              .start(
                  name,
                  () -> {
                    try {
                      while (!isOver.get()) {
                        work.run();
                      }
                    } catch (Throwable e) {
                      failure.set(e);
                    }
                  });
    }

    void end() throws InterruptedException {
      isOver.set(true);
      task.join();
      assertThat(failure.get()).isNull();
    }
  }

  @Test
  void countsAreExactAtEveryMomentAndWritesHappenOnce() throws Exception {
    // given: documents that are written again and again, and counted by a node of their own
    tiers.start(Role.INDEX);
    tiers.start(Role.INDEX);
    tiers.start(Role.SEARCH);
    tiers.start(Role.SEARCH);
    TestNode proxy = tiers.start(Role.PROXY);
    TestNode other = tiers.start(Role.PROXY);
    ShardId zero = filled(proxy);
    Map<String, Long> versions = new TreeMap<>();
    AtomicLong written = new AtomicLong();
    AtomicLong counts = new AtomicLong();
    Loop writer =
        new Loop(
            proxy,
            "writer",
            () -> {
              String id = "d" + written.getAndIncrement() % DOCUMENTS;
              versions.put(id, done(proxy.index(zero, id, "{\"a\":2}")).version());
            });
    Loop refresher = new Loop(proxy, "refresher", () -> proxy.indexing.refresh(zero));
    Loop reader =
        new Loop(
            other,
            "reader",
            () -> {
              assertThat(other.count(zero)).isEqualTo(DOCUMENTS);
              counts.incrementAndGet();
            });
    // when
    for (int shards : List.of(2, 4, 8)) {
      split(proxy, shards);
      awaitShards(proxy, shards);
    }
    // then
    writer.end();
    refresher.end();
    reader.end();
    refreshAll(proxy);
    assertThat(other.count(zero)).isEqualTo(DOCUMENTS);
    assertThat(counts.get()).isPositive();
    long writes = DOCUMENTS;
    for (int i = 0; i < DOCUMENTS; i++) {
      String id = "d" + i;
      long version = proxy.indexing.get(at(proxy, id), id).version();
      assertThat(version).as(id).isEqualTo(versions.getOrDefault(id, 1L));
      writes += version - 1;
    }
    assertThat(writes).isEqualTo(DOCUMENTS + written.get());
  }

  @Test
  void whatIsRefreshedIsSeenByWhoHasNotHeardOfTheNewShards() throws Exception {
    tiers.start(Role.INDEX);
    tiers.start(Role.SEARCH);
    TestNode proxy = tiers.start(Role.PROXY);
    TestNode other = tiers.start(Role.PROXY);
    ShardId zero = filled(proxy);
    split(proxy, 6);
    int more = 0;
    while (index(proxy).shards() < 6) {
      done(proxy.index(zero, "more-" + more++, "{\"a\":1}"));
      proxy.indexing.refresh(zero);
      assertThat(other.count(zero)).isEqualTo(DOCUMENTS + more);
    }
    assertThat(proxy.count(zero)).isEqualTo(DOCUMENTS + more);
  }

  @Test
  void ownersThatDieMeanwhileLoseNothing() throws Exception {
    // given
    for (int i = 0; i < 3; i++) {
      tiers.start(Role.INDEX);
    }
    tiers.start(Role.SEARCH);
    TestNode proxy = tiers.start(Role.PROXY);
    ShardId zero = filled(proxy);
    AtomicLong written = new AtomicLong();
    Loop writer =
        new Loop(
            proxy,
            "writer",
            () -> {
              done(proxy.index(zero, "more-" + written.get(), "{\"a\":1}"));
              written.incrementAndGet();
              // leases take their time to expire, and one processor is enough for that
              proxy.member.ownWorld.sleeper().sleep(Duration.ofMillis(5));
            });
    // when: they die while shards are divided
    for (int to : List.of(4, 8)) {
      int shards = index(proxy).shards();
      split(proxy, to);
      awaitShards(proxy, shards + 1);
      tiers.owner(zero).crash();
      awaitShards(proxy, to);
    }
    // then
    writer.end();
    refreshAll(proxy);
    assertThat(proxy.count(zero)).isEqualTo(DOCUMENTS + written.get());
    for (int i = 0; i < written.get(); i++) {
      String id = "more-" + i;
      assertThat(proxy.indexing.get(at(proxy, id), id).version()).as(id).isOne();
    }
  }

  @Test
  void aShardThatWasDividedTakesNoRefreshOfWhoHasNotHeardOfIt() throws Exception {
    // given: its owner has let go of it
    LifeConfig life =
        LifeConfig.defaults()
            .withRefreshPatience(Duration.ofSeconds(10))
            .withDivisionPace(0)
            .withHollowAfter(Duration.ofMillis(300));
    IndexingTier owner = Objects.requireNonNull(tiers.start(life, Role.INDEX).indexingTier);
    tiers.start(Role.SEARCH);
    TestNode proxy = tiers.start(Role.PROXY);
    ShardId zero = filled(proxy);
    split(proxy, 2);
    awaitShards(proxy, 2);
    refreshAll(proxy);
    tiers.cluster.until("both sleep", () -> owner.hollowShards() == 2);
    // when, then
    assertThatThrownBy(() -> owner.refresh(zero, ShardOwner.ANY_STATE, IndexSplit.NEVER, false))
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(ShardNotHere.is(e)).isTrue());
    owner.refresh(zero, ShardOwner.ANY_STATE, index(proxy).dividedSince(0), false);
    // and: the same when it is open
    refreshAll(proxy);
    for (int i = 0; i < 10; i++) {
      done(proxy.index(zero, "more-" + i, "{\"a\":1}"));
    }
    assertThatThrownBy(() -> owner.refresh(zero, ShardOwner.ANY_STATE, IndexSplit.NEVER, true))
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(ShardNotHere.is(e)).isTrue());
  }

  @Test
  void aCopyThatShowsADivisionSaysSoToWhoHasNotHeardOfIt() throws Exception {
    // given
    tiers.start(Role.INDEX);
    SearchTier copies = Objects.requireNonNull(tiers.start(Role.SEARCH).searchTier);
    TestNode proxy = tiers.start(Role.PROXY);
    ShardId zero = filled(proxy);
    split(proxy, 2);
    awaitShards(proxy, 2);
    refreshAll(proxy);
    String moved =
        IntStream.range(0, DOCUMENTS)
            .mapToObj(i -> "d" + i)
            .filter(id -> at(proxy, id).number() == 1)
            .findFirst()
            .orElseThrow();
    // when, then
    assertThatThrownBy(() -> copies.find(zero, IndexSplit.NEVER, moved))
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(StaleTarget.is(e)).isTrue());
    assertThat(copies.find(zero, index(proxy).dividedSince(0), moved).exists()).isFalse();
    assertThat(proxy.searches.get(zero, moved, false).exists()).isFalse();
    assertThat(proxy.searches.get(at(proxy, moved), moved, false).exists()).isTrue();
    // and: so does one that is asked another question
    ObjectNode asked =
        TargetJson.sinceDivided(zero, IndexSplit.NEVER).put("question", MatchInspection.NAME);
    ObjectNode filter = asked.putObject("body");
    filter.putObject("query").putObject("ids").putArray("values").add(moved);
    assertThatThrownBy(() -> copies.ask(NodeQuestion.SHARD, asked))
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(StaleTarget.is(e)).isTrue());
    assertThat(matches(proxy, zero, filter)).isFalse();
    assertThat(matches(proxy, at(proxy, moved), filter)).isTrue();
  }

  private static boolean matches(TestNode node, ShardId shard, ObjectNode filter)
      throws IOException {
    return node.searches.ask(shard, MatchInspection.NAME, filter).path("matches").asBoolean();
  }

  @Test
  void aPointInTimeFromBeforeHasAllItsDocuments() throws Exception {
    // given
    tiers.start(Role.INDEX);
    tiers.start(Role.SEARCH);
    TestNode proxy = tiers.start(Role.PROXY);
    ShardId zero = filled(proxy);
    ContextIds ids =
        proxy.searches.pointsInTime().open(List.of(ShardTarget.of(zero)), Duration.ofMinutes(1));
    // when
    split(proxy, 4);
    awaitShards(proxy, 4);
    for (int i = 0; i < DOCUMENTS; i++) {
      done(proxy.index(zero, "more-" + i, "{\"a\":1}"));
    }
    refreshAll(proxy);
    for (int number = 0; number < 4; number++) {
      proxy.indexing.forceMerge(new ShardId(zero.index(), number), 1, false);
    }
    // then
    List<ShardTarget> targets =
        ids.shards().stream()
            .map(held -> new ShardTarget(held.shard(), held.context(), null, null, 60_000))
            .toList();
    assertThat(
            proxy
                .searches
                .searchShards(targets, SearchParser.counting(null, 0, null), () -> false)
                .total())
        .isEqualTo(DOCUMENTS);
    assertThat(proxy.count(zero)).isEqualTo(2 * DOCUMENTS);
    // and: one that is opened by who names the shards from before has the documents of all
    ContextIds later =
        proxy.searches.pointsInTime().open(List.of(ShardTarget.of(zero)), Duration.ofMinutes(1));
    assertThat(later.shards()).hasSize(4);
  }
}
