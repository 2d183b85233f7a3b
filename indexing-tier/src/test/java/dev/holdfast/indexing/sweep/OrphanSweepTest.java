package dev.holdfast.indexing.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.translog.LogContents;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.translog.LogSweep;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class OrphanSweepTest extends SweepFixture {
  @Test
  void aFolderLeftByACrashGoesAfterTheGraceAndSoDoesTheLogOfTheDeadNode() throws Exception {
    // given: an index is deleted, and the process that would delete its blobs dies
    TestIndexingNode dead = node("dead");
    ShardId gone = written(dead, "gone");
    ShardId kept = written(dead, "kept");
    String deadId = dead.cluster.nodeEphemeralId();
    dead.cluster.update("delete", state -> state.withoutIndex("gone"));
    dead.crash();
    assertThat(blobs(gone)).isNotEmpty();
    TestIndexingNode next = node("next");
    // when
    long startNanos = world.clock().nanoTime();
    OrphanSweep sweep = sweep(store, next.cluster, next.cluster, next.tier);
    until("the orphans are known", () -> sweep.report().orphans().size() > 1);
    // then
    assertThat(sweep.report().orphans()).containsOnlyKeys(gone.folder(), "log/" + deadId);
    assertThat(blobs(gone)).isNotEmpty();
    until("the folder is empty", () -> blobs(gone).isEmpty());
    assertThat(world.clock().nanoTime() - startNanos).isGreaterThanOrEqualTo(GRACE.toNanos());
    until("its log is gone", () -> sweep.report().deletedLogFiles() > 0);
    assertThat(store.list("log/" + deadId + "/", "", 1000))
        .as("fences")
        .isNotEmpty()
        .allSatisfy(fence -> assertThat(fence.length()).isLessThan(64));
    assertThat(next.source(kept, "b")).isEqualTo("{\"x\":2}");
    assertThat(blobs(kept)).isNotEmpty();
    next.close();
  }

  @Test
  void aZombieDeletesNothing() throws Exception {
    // given
    TestIndexingNode dead = node("dead");
    ShardId gone = written(dead, "gone");
    ClusterState without = dead.cluster.update("delete", state -> state.withoutIndex("gone"));
    dead.crash();
    String log = "log/" + dead.cluster.nodeEphemeralId() + "/";
    // when
    ClusterState alone = without.withoutMember(dead.cluster.nodeEphemeralId());
    OrphanSweep sweep = sweep(store, new Fixed(alone), new Leader(false), dead.tier);
    until("many sweeps", () -> sweep.report().sweeps() > 20);
    // then
    until("the grace is over", () -> sweep.report().orphans().containsValue(0L));
    long sweeps = sweep.report().sweeps();
    until("and was over for a while", () -> sweep.report().sweeps() > sweeps + 3);
    assertThat(blobs(gone)).isNotEmpty();
    assertThat(store.list(log, "", 1000)).anyMatch(file -> file.length() > 64);
  }

  @Test
  void aLogThatANewestCommitPointsAtIsKept() throws Exception {
    // given: nobody has taken over the dead node's shard
    TestIndexingNode dead = node("dead");
    ShardId shard = written(dead, "books");
    String deadId = dead.cluster.nodeEphemeralId();
    ClusterState state = dead.cluster.current().withoutMember(deadId);
    dead.crash();
    int files = store.list("log/" + deadId + "/", "", 1000).size();
    // when
    OrphanSweep sweep = sweep(store, new Fixed(state), new Leader(true), dead.tier);
    until("more than the grace", () -> sweep.report().sweeps() > GRACE.toMillis() / 50 + 5);
    // then
    assertThat(sweep.report().logsHeld()).containsEntry(deadId, shard.toString());
    assertThat(store.list("log/" + deadId + "/", "", 1000)).hasSize(files);
    TestIndexingNode next = node("next");
    assertThat(next.source(shard, "b")).isEqualTo("{\"x\":2}");
    next.close();
  }

  @Test
  void aShardThatCannotBeReadHoldsOnlyLogsWithItsOperations() throws Exception {
    // given: two dead nodes, each with a shard; the shard of the first was rewritten by nobody
    TestIndexingNode first = node("first");
    ShardId broken = written(first, "broken");
    String firstId = first.cluster.nodeEphemeralId();
    first.crash();
    TestIndexingNode second = node("second");
    ShardId gone = written(second, "gone");
    String secondId = second.cluster.nodeEphemeralId();
    ClusterState state =
        second
            .cluster
            .update("delete", s -> s.withoutIndex("gone"))
            .withoutMember(secondId)
            .withoutMember(firstId);
    second.crash();
    String newest = store.list(broken.folder(), "", 1).getFirst().key();
    store.put(newest, ObjectBody.of(new byte[100]));
    boolean isInSecond = hasOperations(secondId, broken);
    // when
    OrphanSweep sweep = sweep(store, new Fixed(state), new Leader(true), second.tier);
    until("the deleted index is gone", () -> blobs(gone).isEmpty());
    until("the other log is looked at", () -> sweep.report().unreadableShards() > 0);
    if (!isInSecond && !UploadMarks.needsLog(state, secondId)) {
      until("a log without its operations goes", () -> !hasFiles(secondId));
    }
    // then
    assertThat(hasFiles(firstId)).isEqualTo(hasOperations(firstId, broken));
    assertThat(hasOperations(firstId, broken) || isInSecond).as("its operations are kept").isTrue();
  }

  private boolean hasFiles(String node) throws IOException {
    return store.list("log/" + node + "/", "", 1000).stream().anyMatch(file -> file.length() > 64);
  }

  private boolean hasOperations(String node, ShardId shard) throws IOException {
    LogReplay logs = new LogReplay(world, store, "test");
    LogSweep.Folder folder = new LogSweep(store, new Leader(true), logs).folders().get(node);
    return folder != null && new LogContents(store).hold(folder, shard);
  }

  @Test
  void aPinKeepsWhatItNames() throws Exception {
    // given
    TestIndexingNode dead = node("dead");
    ShardId gone = written(dead, "gone");
    ClusterState without =
        dead.cluster
            .update("delete", state -> state.withoutIndex("gone"))
            .withoutMember(dead.cluster.nodeEphemeralId());
    dead.crash();
    String pin = "pins/" + gone.index().uuid() + "/0/all/snapshot-1";
    store.put(pin, ObjectBody.of(new byte[] {1}));
    // when
    OrphanSweep sweep = sweep(store, new Fixed(without), new Leader(true), dead.tier);
    until("more than the grace", () -> sweep.report().sweeps() > GRACE.toMillis() / 50 + 5);
    // then
    assertThat(blobs(gone)).isNotEmpty();
    store.deleteAll(List.of(pin));
    until("it goes with the pin", () -> blobs(gone).isEmpty());
  }

  @Test
  void aBlobThatAnEvictedOwnerUploadedLateGoesThroughTheOwner() throws Exception {
    // given: the owner has listed its folder; then a blob of an older term appears
    TestIndexingNode node =
        new TestIndexingNode(
            store, folder.resolve("data"), folder.resolve("one"), TestIndexingNode.config());
    ShardId shard = written(node, "books");
    node.tier.forceMerge(shard, 1, false);
    until("the owner keeps account", () -> blobs(shard).size() == 1);
    BlobId late = new BlobId(0, 7);
    store.put(late.key(shard), ObjectBody.of(new byte[100]));
    // when
    sweep(store, node.cluster, node.cluster, node.tier);
    // then
    until("the late blob is gone", () -> !blobs(shard).contains(late));
    assertThat(blobs(shard)).hasSize(1);
    assertThat(node.source(shard, "b")).isEqualTo("{\"x\":2}");
    node.close();
  }

  @Test
  void aQuietSweepCostsFourLists() throws Exception {
    // given
    StoreCounters counters = new StoreCounters(StorePrices.FREE);
    ObjectStore counted = new Counting(store, Purpose.GARBAGE_COLLECTION, counters);
    TestIndexingNode node =
        new TestIndexingNode(
            store, folder.resolve("data"), folder.resolve("one"), TestIndexingNode.config());
    ShardId one = written(node, "one");
    ShardId two = written(node, "two");
    node.tier.flush(one);
    node.tier.flush(two);
    // when
    OrphanSweep sweep = sweep(counted, node.cluster, node.cluster, node.tier);
    until("some sweeps", () -> sweep.report().sweeps() >= 5);
    node.close();
    // then
    long sweeps = sweep.report().sweeps();
    assertThat(counters.requests(RequestKind.LIST)).isBetween(20L, 4 * (sweeps + 1));
    assertThat(counters.requests(RequestKind.GET)).isZero();
    assertThat(counters.requests(RequestKind.DELETE)).isZero();
  }
}
