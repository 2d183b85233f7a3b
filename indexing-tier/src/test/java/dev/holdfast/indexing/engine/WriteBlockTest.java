package dev.holdfast.indexing.engine;

import static dev.holdfast.indexing.TestIndexingNode.delete;
import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A write that was sent before its index became read-only is not acknowledged after: an index that
/// has been shrunk or downsampled meanwhile lacks it.
final class WriteBlockTest extends IndexingTierFixture {
  private void set(String setting, String value) throws InterruptedException {
    ClusterState _ =
        node.cluster.update(
            "settings",
            state -> {
              IndexMetadata books = Objects.requireNonNull(state.indices().get("books"));
              SortedMap<String, Object> settings = new TreeMap<>(books.settings());
              settings.put(setting, value);
              return state.withIndex(books.withSettings(settings));
            });
  }

  @ParameterizedTest
  @CsvSource({
    "index.blocks.write, CLUSTER_BLOCK, [FORBIDDEN/8/index write (api)];",
    "index.blocks.read_only, CLUSTER_BLOCK, [FORBIDDEN/5/index read-only (api)];",
    "index.blocks.read_only_allow_delete, CLUSTER_BLOCK_FOR_NOW, [TOO_MANY_REQUESTS/12/disk usage"
  })
  void anOwnerAppliesNothingToAnIndexThatItKnowsIsBlocked(
      String setting, ErrorType type, String said) throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));

    set(setting, "true");

    assertThatThrownBy(() -> node.write(shard, index("2", "{}"), delete("1")))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.type()).isEqualTo(type))
        .hasMessageContaining("index [books] blocked by: " + said);
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).containsOnlyKeys("1");
    set(setting, "false");
    node.done(shard, index("2", "{}"));
  }

  /// Who asks has seen a block that the owner has not heard of: what the owner would acknowledge
  /// after the flush would be missing in the index that is shrunk from what was flushed.
  @Test
  void whatIsAskedWithAStateIsDoneWhenTheOwnerKnowsIt() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{}"));
    long state = node.cluster.current().version() + 20;
    CountDownLatch ended = new CountDownLatch(2);
    Tasks.Task flushing =
        node.world
            .tasks()
            .start(
                "flush",
                () -> {
                  node.tier.flush(shard, state);
                  ended.countDown();
                });
    Tasks.Task refreshing =
        node.world
            .tasks()
            .start(
                "refresh",
                () -> {
                  node.tier.refresh(shard, state);
                  ended.countDown();
                });
    assertThat(ended.await(200, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(ended.getCount()).isEqualTo(2);

    while (node.cluster.current().version() < state) {
      set("index.priority", Long.toString(node.cluster.current().version()));
    }

    flushing.join();
    refreshing.join();
    assertThat(ended.getCount()).isZero();
  }
}
