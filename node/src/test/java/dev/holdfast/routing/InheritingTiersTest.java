package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.document.Routing;
import dev.holdfast.routing.TestTiers.TestNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Shards that begin with what shards of other nodes have in the store.
@Timeout(60)
final class InheritingTiersTest {
  private static final int DOCUMENTS = 100;

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

  private static ShardId split(TestNode proxy, ShardId origin, int from, int to)
      throws InterruptedException {
    IndexMetadata index =
        TestCluster.index("split", to, 1)
            .withOrigin(
                new IndexOrigin(origin.index().uuid(), from),
                java.util.Collections.nCopies(to, 5L));
    return proxy.create(index);
  }

  @Test
  void theLogsOfLivingOwnersAreLeftAloneAndTheDeathOfOneLosesNothing() throws Exception {
    // given: an index whose owners live, and whose newest commits point into their logs
    TestNode first = tiers.start(Role.INDEX);
    TestNode second = tiers.start(Role.INDEX);
    tiers.start(Role.SEARCH);
    TestNode proxy = tiers.start(Role.PROXY);
    ShardId origin = proxy.create("origin", 2, 1);
    for (int i = 0; i < DOCUMENTS; i++) {
      var _ = proxy.index(at(origin, i, 2), "d" + i, "{\"a\":" + i + "}");
    }
    for (int number = 0; number < 2; number++) {
      proxy.indexing.flush(new ShardId(origin.index(), number));
    }
    Set<String> members = proxy.state().members().keySet();
    // when
    ShardId split = split(proxy, origin, 2, 6);
    for (int number = 0; number < 6; number++) {
      proxy.indexing.refresh(new ShardId(split.index(), number));
    }
    // then
    assertThat(proxy.count(split)).isEqualTo(DOCUMENTS);
    assertThat(proxy.state().members().keySet()).isEqualTo(members);
    for (int i = 0; i < DOCUMENTS; i++) {
      assertThat(proxy.indexing.get(at(split, i, 6), "d" + i).version()).isOne();
    }
    var _ = proxy.index(at(origin, 1, 2), "d1", "{\"a\":-1}");
    // when: an owner dies
    var _ = proxy.index(at(split, 1000, 6), "d1000", "{\"a\":1000}");
    (first.id().equals(proxy.state().assignment(split).owner()) ? first : second).crash();
    // then
    tiers.cluster.until(
        "another owns all",
        () -> List.of(first, second).stream().anyMatch(node -> ownsAll(proxy, node.id(), split)));
    for (int number = 0; number < 6; number++) {
      proxy.indexing.refresh(new ShardId(split.index(), number));
    }
    assertThat(proxy.count(split)).isEqualTo(DOCUMENTS + 1);
  }

  private static boolean ownsAll(TestNode proxy, String member, ShardId shard) {
    for (int number = 0; number < 6; number++) {
      ShardId each = new ShardId(shard.index(), number);
      if (!proxy.state().assignment(each).owner().equals(member)) {
        return false;
      }
    }
    return true;
  }

  private static ShardId at(ShardId shard, int document, int shards) {
    return new ShardId(shard.index(), Routing.shard("d" + document, null, shards));
  }
}
