package dev.holdfast.indexing.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.translog.Log;
import dev.holdfast.world.Json;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When the cluster state hears of what is in the store.
@Timeout(60)
final class UploadMarkingTest extends IndexingTierFixture {
  private static final IndexingConfig SELDOM =
      TestIndexingNode.config().withMarkEvery(Duration.ofHours(1));

  /// Whoever writes to it would wait for that.
  @Test
  void aShardThatIsOpenedAgainIsToldOfBeforeAnybodyWrites() throws Exception {
    node.close();
    node = new TestIndexingNode(store, folder, SELDOM);
    ShardId shard = node.create("books");
    node.done(shard, TestIndexingNode.index("1", "{}"));
    node.crash();

    node = new TestIndexingNode(store, folder, SELDOM);
    node.awaitShards();

    long term = node.cluster.current().primaryTerm(shard);
    while (UploadMarks.of(node.cluster.current(), shard).primaryTerm() < term) {
      node.world.sleeper().sleep(Duration.ofMillis(10));
    }
    assertThat(term).isEqualTo(2);
  }

  /// A cluster state that takes its time for a change.
  private static final class Slow implements Metadata {
    private volatile ClusterState state;
    final CountDownLatch isAsked = new CountDownLatch(1);
    final CountDownLatch goesOn = new CountDownLatch(1);

    Slow(ClusterState state) {
      this.state = state;
    }

    @Override
    public ClusterState current() {
      return state;
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change)
        throws InterruptedException {
      isAsked.countDown();
      goesOn.await();
      ClusterState changed = change.apply(state);
      state = changed;
      return changed;
    }

    @Override
    public void listen(Listener listener) {}
  }

  /// Shards of an index that have been open under their first term, and have their second now.
  private static ClusterState openedBefore(IndexId index, int shards) {
    Member self =
        new Member(
            "self", "node", "a:1", new TreeSet<>(List.of(Role.INDEX)), 1, 0, false, Build.UNKNOWN);
    ClusterState state =
        ClusterState.empty("cluster")
            .withMember(self)
            .withIndex(
                new IndexMetadata(
                    index,
                    shards,
                    new TreeMap<>(),
                    1,
                    Json.object(),
                    1,
                    new TreeMap<>(),
                    true,
                    Collections.nCopies(shards, 2L)));
    for (int number = 0; number < shards; number++) {
      state = UploadMarks.with(state, new ShardId(index, number), UploadMark.of(1, 1, 0, "dead"));
    }
    return state;
  }

  private static Log emptyLog() {
    return (Log)
        Proxy.newProxyInstance(
            Log.class.getClassLoader(),
            new Class<?>[] {Log.class},
            (_, method, _) -> method.getName().equals("bounds") ? new LogBounds(0, -1) : null);
  }

  /// Its name is all that is asked.
  private static Ownership self() {
    return (Ownership)
        Proxy.newProxyInstance(
            Ownership.class.getClassLoader(),
            new Class<?>[] {Ownership.class},
            (_, _, _) -> "self");
  }

  private static void open(UploadMarking marking, ShardId shard) {
    UploadMark mark = UploadMark.of(2, 1, 0, "self");
    marking.uploaded(shard, mark, 0);
    marking.opened(shard, mark);
  }

  /// As when a node gives all its shards away: the second is opened while the state hears of the
  /// first.
  @Test
  void aShardThatIsOpenedWhileTheStateHearsOfAnotherIsToldOfNext() throws Exception {
    IndexId index = new IndexId("books", "uuid-books");
    ShardId second = new ShardId(index, 1);
    Slow metadata = new Slow(openedBefore(index, 2));
    UploadMarking marking =
        new UploadMarking(
            node.world, emptyLog(), metadata, self(), Duration.ofHours(1), Duration.ofSeconds(30));

    open(marking, new ShardId(index, 0));
    metadata.isAsked.await();
    open(marking, second);
    metadata.goesOn.countDown();

    while (UploadMarks.of(metadata.current(), second).primaryTerm() < 2) {
      node.world.sleeper().sleep(Duration.ofMillis(10));
    }
    assertThat(UploadMarks.of(metadata.current(), second).node()).isEqualTo("self");
  }

  /// Else no write of a shard that is opened later would ever be acknowledged, and no file of the
  /// log deleted.
  @Test
  void theStateIsToldOnceThereIsAThreadForThatAgain() throws Exception {
    IndexId index = new IndexId("books", "uuid-books");
    ShardId shard = new ShardId(index, 0);
    Slow metadata = new Slow(openedBefore(index, 1));
    metadata.goesOn.countDown();
    UploadMarking marking =
        new UploadMarking(
            node.world, emptyLog(), metadata, self(), Duration.ofHours(1), Duration.ofSeconds(30));
    node.threads.begin("upload-marks");
    assertThatThrownBy(() -> open(marking, shard)).isInstanceOf(OutOfMemoryError.class);
    node.threads.end();

    boolean _ = marking.await(shard, () -> true);

    assertThat(UploadMarks.of(metadata.current(), shard).primaryTerm()).isEqualTo(2);
  }

  /// Writes to documents that the shard has got wait for it.
  @Test
  void aShardThatWasAddedIsToldOfBeforeAnybodyWrites() throws Exception {
    IndexId index = new IndexId("books", "uuid-books");
    ShardId added = new ShardId(index, 1);
    ClusterState both = UploadMarks.with(openedBefore(index, 2), added, UploadMark.NONE);
    IndexSplit split = new IndexSplit(1, 1, 2, List.of(new IndexSplit.Part(0, 2, 1, 1)));
    Slow metadata =
        new Slow(
            both.withIndex(Objects.requireNonNull(both.indices().get("books")).withSplit(split)));
    metadata.goesOn.countDown();
    UploadMarking marking =
        new UploadMarking(
            node.world, emptyLog(), metadata, self(), Duration.ofHours(1), Duration.ofSeconds(30));

    open(marking, added);

    while (!UploadMarks.of(metadata.current(), added).isMarked()) {
      node.world.sleeper().sleep(Duration.ofMillis(10));
    }
    assertThat(UploadMarks.of(metadata.current(), added).node()).isEqualTo("self");
  }
}
