package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.routing.TestTiers.TestNode;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class TiersTest {
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

  @Test
  void aProxyWritesToOneNodeAndSearchesOnAnother() throws Exception {
    // given
    TestNode index = tiers.start(Role.INDEX);
    tiers.start(Role.SEARCH);
    TestNode proxy = tiers.start(Role.PROXY);
    ShardId shard = proxy.create("books", 3, 1);
    // when
    for (int i = 0; i < 9; i++) {
      ShardId at = new ShardId(shard.index(), i % 3);
      assertThat(proxy.index(at, "d" + i, "{\"a\":" + i + "}"))
          .isInstanceOf(WriteResult.Done.class);
    }
    for (int number = 0; number < 3; number++) {
      proxy.indexing.refresh(new ShardId(shard.index(), number));
    }
    // then
    JsonNode found =
        proxy.search(
            shard,
            "{\"size\":4,\"sort\":[{\"a\":\"desc\"}],\"aggs\":{\"s\":{\"sum\":{\"field\":\"a\"}}}}",
            "");
    assertThat(found.at("/hits/hits").findValuesAsText("_id"))
        .containsExactly("d8", "d7", "d6", "d5");
    assertThat(found.at("/hits/hits/0/_source/a").asInt()).isEqualTo(8);
    assertThat(found.at("/aggregations/s/value").asDouble()).isEqualTo(36);
    assertThat(found.at("/hits/total/value").asInt()).isEqualTo(9);
    assertThat(proxy.indexing.get(new ShardId(shard.index(), 1), "d1").exists()).isTrue();
    assertThat(index.searches.get(shard, "d0", false).exists()).isTrue();
    assertThat(proxy.searches.documents(shard)).isEqualTo(3);
  }

  @Test
  void aSearchOfShardsOnSeveralNodesMergesAllAndSurvivesTheDeathOfACopy() throws Exception {
    // given
    TestNode index = tiers.start(Role.INDEX);
    TestNode one = tiers.start(Role.SEARCH);
    TestNode two = tiers.start(Role.SEARCH);
    ShardId shard = index.create("books", 4, 2);
    for (int i = 0; i < 40; i++) {
      ShardId at = new ShardId(shard.index(), i % 4);
      index.index(at, "d" + i, "{\"a\":" + i + "}");
    }
    for (int number = 0; number < 4; number++) {
      index.indexing.refresh(new ShardId(shard.index(), number));
    }
    tiers.cluster.until("all copies are started", () -> startedCopies(index, shard, 4) == 8);
    // when: only one of two copies is left, nobody is told
    JsonNode before = index.search(shard, "{\"size\":40,\"sort\":[\"a\"]}", "");
    two.crash();
    for (int round = 0; round < 4; round++) {
      JsonNode found = index.search(shard, "{\"size\":40,\"sort\":[\"a\"]}", "");
      // then
      assertThat(found.at("/_shards/failed").asInt()).isZero();
      assertThat(found.at("/hits/hits").findValuesAsText("_id"))
          .isEqualTo(before.at("/hits/hits").findValuesAsText("_id"))
          .hasSize(40);
    }
    assertThat(one.count(shard)).isEqualTo(40);
  }

  @Test
  void aRefreshDoesNotWaitForACopyThatOnlyItsOwnerDoesNotReach() throws Exception {
    // given
    TestNode proxy = tiers.start(Role.PROXY); // leads
    TestNode index = tiers.start(Role.INDEX);
    TestNode one = tiers.start(Role.SEARCH);
    TestNode two = tiers.start(Role.SEARCH);
    ShardId shard = proxy.create("books", 1, 2);
    tiers.cluster.until("all copies are started", () -> startedCopies(proxy, shard, 1) == 2);
    // when: both stay members
    tiers.cluster.network.part(index.member.address, two.member.address);
    proxy.index(shard, "d1", "{\"a\":1}");
    proxy.indexing.refresh(shard);
    // then
    assertThat(proxy.state().assignment(shard).copies()).containsOnlyKeys(one.id());
    assertThat(proxy.state().members()).containsKeys(index.id(), two.id());
    assertThat(proxy.count(shard)).isEqualTo(1);
    // when
    tiers.cluster.network.healAll();
    // then
    tiers.cluster.until("the copy is back", () -> startedCopies(proxy, shard, 1) == 2);
    assertThat(two.searchTier).isNotNull();
    // It has started for the others, but refuses until its owner has told it the newest commit:
    // what
    // it answers first must be no older than the refresh.
    AtomicLong first = new AtomicLong(-1);
    tiers.cluster.until("the copy answers", () -> answers(two, shard, first));
    assertThat(first).hasValue(1);
  }

  /// Whether a node answers for a shard; its first answer is kept.
  private static boolean answers(TestNode node, ShardId shard, AtomicLong first) {
    try {
      if (node.searchTier != null && first.get() < 0) {
        first.set(node.searchTier.documents(shard));
      }
      return first.get() >= 0;
    } catch (IOException | InterruptedException | Refusal e) {
      return false;
    }
  }

  private static long startedCopies(TestNode node, ShardId shard, int shards) {
    long started = 0;
    for (int number = 0; number < shards; number++) {
      started +=
          node.state().assignment(new ShardId(shard.index(), number)).copies().values().stream()
              .filter(ShardAssignment.Copy.STARTED::equals)
              .count();
    }
    return started;
  }

  @Test
  void aShardMovesUnderWritesAndNothingIsLostOrTwice() throws Exception {
    // given
    TestNode first = tiers.start(Role.INDEX);
    tiers.start(Role.SEARCH);
    TestNode proxy = tiers.start(Role.PROXY);
    ShardId shard = proxy.create("books", 1, 1);
    TestNode second = tiers.start(Role.INDEX);
    Writers writers = new Writers(proxy, shard, 4);
    // when
    for (int move = 0; move < 4; move++) {
      String target = move % 2 == 0 ? second.id() : first.id();
      proxy.member.node.update(
          "move", state -> state.withAssignment(shard, state.assignment(shard).withTarget(target)));
      tiers.cluster.until(
          "the shard has moved", () -> proxy.state().assignment(shard).owner().equals(target));
      writers.awaitMore(20);
    }
    // then
    writers.check();
  }

  @Test
  void anOwnerDiesAndAnotherReplaysWhatWasAcknowledged() throws Exception {
    // given
    TestNode search = tiers.start(Role.SEARCH);
    TestNode first = tiers.start(Role.INDEX);
    TestNode second = tiers.start(Role.INDEX);
    ShardId shard = search.create("books", 1, 1);
    Writers writers = new Writers(search, shard, 3);
    writers.awaitMore(30);
    search.indexing.refresh(shard);
    writers.awaitMore(30);
    // when
    String owner = search.state().assignment(shard).owner();
    (first.id().equals(owner) ? first : second).crash();
    writers.awaitMore(30);
    // then
    writers.check();
  }

  @Test
  void aMoveUnderTheWritesOfEightClientsPausesThemForLessThanASecond() throws Exception {
    // given
    TestNode first = tiers.start(Role.INDEX, Role.SEARCH);
    ShardId shard = first.create("books", 1, 1);
    TestNode second = tiers.start(Role.INDEX, Role.SEARCH);
    Writers writers = new Writers(first, shard, 8);
    writers.awaitMore(500);
    // when
    var _ =
        first.member.node.update(
            "move",
            state -> state.withAssignment(shard, state.assignment(shard).withTarget(second.id())));
    tiers.cluster.until("moved", () -> first.state().assignment(shard).owner().equals(second.id()));
    writers.awaitMore(500);
    // then
    writers.check();
    assertThat(writers.longestPause()).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void anIdleShardIsHollowAndComesBackWithTheNextWrite() throws Exception {
    // given
    LifeConfig life = LifeConfig.defaults().withHollowAfter(Duration.ofMillis(300));
    TestNode node = tiers.start(life, Role.INDEX, Role.SEARCH);
    ShardId shard = node.create("books", 1, 1);
    node.index(shard, "1", "{\"a\":1}");
    var tier = Objects.requireNonNull(node.indexingTier);
    // when
    tiers.cluster.until("hollow", () -> tier.hollowShards() == 1 && tier.openShardCount() == 0);
    // then
    assertThat(node.count(shard)).isEqualTo(1);
    assertThat(node.indexing.stats(shard).documents()).isEqualTo(1);
    assertThat(tier.openShardCount()).isZero();
    assertThat(node.index(shard, "2", "{\"a\":2}")).isInstanceOf(WriteResult.Done.class);
    assertThat(tier.openShardCount()).isEqualTo(1);
    node.indexing.refresh(shard);
    assertThat(node.count(shard)).isEqualTo(2);
    assertThat(node.indexing.get(shard, "1").version()).isEqualTo(1);
  }

  @Test
  void aSearchAfterAPauseSeesWhatNobodyRefreshed() throws Exception {
    // given
    TestNode node = tiers.start(Role.INDEX);
    TestNode search = tiers.start(Role.SEARCH);
    ShardId shard = node.create("books", 1, 1);
    // when
    node.index(shard, "1", "{\"a\":1}");
    // then
    assertThat(search.count(shard)).isEqualTo(1);
  }

  /// Clients that write without end and remember what was acknowledged.
  private final class Writers {
    private final TestNode node;
    private final ShardId shard;
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicBoolean isStopped = new AtomicBoolean();

    // Guarded by this.
    private long lastNanos;
    private long longestPauseNanos;
    private final List<dev.holdfast.world.Tasks.Task> tasks = new ArrayList<>();

    Writers(TestNode node, ShardId shard, int count) {
      this.node = node;
      this.shard = shard;
      for (int i = 0; i < count; i++) {
        tasks.add(tiers.cluster.world.tasks().start("writer", this::write));
      }
    }

    private void write() throws Exception {
      while (!isStopped.get()) {
        try {
          switch (node.append(shard, "{\"a\":1}")) {
            case WriteResult.Done done -> {
              acknowledged.add(done.id());
              noteAcknowledgement();
            }
            case WriteResult.Refused refused -> failures.add(refused.refusal().reason());
          }
        } catch (RuntimeException | java.io.IOException e) {
          failures.add(e.toString());
        }
        // One search shows ten thousand documents.
        tiers.cluster.world.sleeper().sleep(Duration.ofMillis(10));
      }
    }

    private synchronized void noteAcknowledgement() {
      long now = tiers.cluster.world.clock().nanoTime();
      longestPauseNanos = Math.max(longestPauseNanos, lastNanos == 0 ? 0 : now - lastNanos);
      lastNanos = now;
    }

    /// The longest time in which nothing was acknowledged.
    synchronized Duration longestPause() {
      return Duration.ofNanos(longestPauseNanos);
    }

    void awaitMore(int count) throws InterruptedException {
      int before = acknowledged.size();
      tiers.cluster.until(
          "more writes after " + before, () -> acknowledged.size() >= before + count);
    }

    /// Everything acknowledged is found once, and nothing else more than once.
    void check() throws Exception {
      isStopped.set(true);
      for (var task : tasks) {
        task.join();
      }
      node.indexing.refresh(shard);
      List<String> found =
          node.search(shard, "{\"size\":10000}", "").at("/hits/hits").findValuesAsText("_id");
      assertThat(failures).isEmpty();
      assertThat(found).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(acknowledged);
    }
  }
}
