package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.routing.TestTiers.TestNode;
import dev.holdfast.search.node.SearchNode;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node that goes hands what its searches use to those that take its copies over.
@Timeout(120)
final class WarmHandOverTest {
  private static final int DOCUMENTS = 3_000;

  @TempDir private Path folder = Path.of("");
  private TestTiers tiers;

  @BeforeEach
  void open() {
    tiers = new TestTiers(folder);
  }

  @AfterEach
  void close() throws Exception {
    tiers.close();
  }

  private static void search(TestNode node, ShardId shard) throws Exception {
    for (String word : new String[] {"w1", "w77", "w501", "w903"}) {
      var found =
          node.search(shard, "{\"size\":20,\"query\":{\"match\":{\"text\":\"" + word + "\"}}}", "");
      assertThat(found.at("/hits/total/value").asInt()).isPositive();
    }
  }

  private void handOver(TestNode index, ShardId shard, TestNode from, TestNode to)
      throws Exception {
    from.member.node.drain();
    tiers.cluster.until(
        "the copy is elsewhere",
        () -> {
          var copies = index.state().assignment(shard).copies();
          return copies.get(to.id()) == Copy.STARTED && !copies.containsKey(from.id());
        });
    from.member.node.close();
  }

  /// Requests for bytes of blobs that searches wait for when another node has taken the copy over.
  private long missesAfterHandOver(@Nullable UnaryOperator<SearchNode> asking) throws Exception {
    tiers.asking = asking;
    TestNode index = tiers.start(Role.INDEX);
    TestNode writing = tiers.start(Role.SEARCH);
    ShardId shard = index.create("books", 1, 1);
    for (int i = 0; i < DOCUMENTS; i++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < 120; word++) {
        text.append('w').append((i * 31L + word * 7919L) % 1000).append(' ');
      }
      index.index(shard, "d" + i, "{\"n\":" + i + ",\"text\":\"" + text + "\"}");
    }
    index.indexing.refresh(shard);
    index.indexing.flush(shard);
    // one that reads all from the store
    TestNode first = tiers.start(Role.SEARCH);
    handOver(index, shard, writing, first);
    search(first, shard);

    TestNode second = tiers.start(Role.SEARCH);
    handOver(index, shard, first, second);
    long before = second.cache.stats().misses();
    search(second, shard);
    return second.cache.stats().misses() - before;
  }

  @Test
  void firstSearchesAfterADrainWaitForTheStoreWhereNothingIsHandedOver() throws Exception {
    assertThat(missesAfterHandOver(null)).isPositive();
  }

  @Test
  void firstSearchesAfterADrainFindWhatTheNodeThatWentHad() throws Exception {
    assertThat(missesAfterHandOver(node -> node)).isZero();
  }

  /// A copy that nobody tells anything is searched all the same, some seconds later.
  @Test
  void nodesThatFailOrDoNotAnswerHoldNoCopyUp() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    long misses =
        missesAfterHandOver(node -> {
          if (asked.getAndIncrement() == 0) {
            throw new IllegalStateException("out of reach");
          }
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return node;
        });
    // a copy that was opened anew has asked again
    assertThat(asked).hasValueGreaterThanOrEqualTo(2);
    assertThat(misses).isPositive();
  }
}
