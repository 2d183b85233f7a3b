package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.translog.Operation.Sent;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NodeLogTest extends LogFixture {
  @Test
  void aNodeThatWasGivenUpAsItJoinedKnowsItBeforeItsFirstWrite() throws Exception {
    new LogReplay(world, store, "leader").fence("a", -1, () -> {});
    Member member = new Member("a");

    NodeLog _ = new NodeLog(world, store, member, LogConfig.unmetered());

    assertThat(member.isEvicted.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(member.evictions).singleElement().asString().contains("while it joined");
  }

  @Test
  void aLeaderThatStoodStillWhileItEvictedFencesNoMemberOfItsSuccessor() throws Exception {
    LogReplay logs = new LogReplay(world, store, "leader");

    assertThatThrownBy(() ->
            logs.fence(
                "a",
                -1,
                () -> {
                  throw new IOException("another leads");
                }))
        .hasMessage("another leads");

    NodeLog log = new NodeLog(world, store, new Member("a"), LogConfig.unmetered());
    log.await(log.append(SHARD, 1, List.of(index(1, "id1", "{}"))));
    assertThat(replayed(SHARD, "a", 0)).containsExactly(1L);
  }

  @Test
  void whatWasAcknowledgedIsReplayedForItsShardOnly() throws Exception {
    NodeLog log = new NodeLog(world, store, new Member("a"), LogConfig.unmetered());
    ConcurrentLinkedQueue<Long> acknowledged = new ConcurrentLinkedQueue<>();
    CountDownLatch done = new CountDownLatch(8);
    for (int writer = 0; writer < 8; writer++) {
      int first = writer * 100;
      world
          .tasks()
          .start(
              "writer",
              () -> {
                for (long seqNo = first; seqNo < first + 100; seqNo++) {
                  log.await(log.append(SHARD, 1, List.of(index(seqNo, "id" + seqNo, "{}"))));
                  acknowledged.add(seqNo);
                  log.append(OTHER, 2, List.of(new Operation.Delete(seqNo, 5, "x", Sent.ONCE)));
                }
                done.countDown();
              });
    }
    done.await();

    assertThat(acknowledged).hasSize(800);
    assertThat(replayed(SHARD, "a", 0)).containsExactlyInAnyOrderElementsOf(acknowledged);
  }

  @Test
  void ofManyShardsThatRecoverEachReadsItsOwnFilesOnly() throws Exception {
    // given: a log of 40 files, of which another shard has one
    NodeLog log = logOf(39);
    log.await(log.append(OTHER, 1, List.of(index(0, "x", "{}"))));
    StoreCounters counters = new StoreCounters(StorePrices.FREE);
    Counting counted = new Counting(store, Purpose.TRANSLOG, counters);
    LogReplay replay = new LogReplay(world, counted, "successor");
    long first = replay.replay(LogReplay.Wanted.of(SHARD, "a", 0), (_, _) -> {});
    long before = counters.requests(RequestKind.GET);

    // when
    long second = replay.replay(LogReplay.Wanted.of(OTHER, "a", 0), (_, _) -> {});

    // then
    assertThat(first).isEqualTo(39);
    assertThat(second).isEqualTo(1);
    assertThat(counters.requests(RequestKind.GET) - before).isLessThan(5);
  }

  @Test
  void aFencedNodeAcknowledgesNothingMore() throws Exception {
    Member member = new Member("a");
    NodeLog log = new NodeLog(world, store, member, LogConfig.unmetered());
    log.await(log.append(SHARD, 1, List.of(index(0, "a", "{}"))));

    assertThat(replayed(SHARD, "a", 0)).containsExactly(0L);

    Log.Ticket late = log.append(SHARD, 1, List.of(index(1, "b", "{}")));
    assertThatThrownBy(() -> log.await(late)).isInstanceOf(Log.EvictedException.class);
    assertThat(member.isEvicted.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(member.evictions).hasSize(1);
    assertThat(replayed(SHARD, "a", 0)).containsExactly(0L);
  }

  @Test
  void filesBehindAGapAreNeverAcknowledged() throws Exception {
    Semaphore firstMayLand = new Semaphore(0);
    ObjectStore slow = new Stalling(store, LogFile.key("a", 0), firstMayLand);
    NodeLog log = new NodeLog(world, slow, new Member("a"), LogConfig.unmetered());
    Log.Ticket first = log.append(SHARD, 1, List.of(index(0, "a", "{}")));
    awaitOrdinal(log, 1);
    Log.Ticket second = log.append(SHARD, 1, List.of(index(1, "b", "{}")));
    while (store.get(LogFile.key("a", 1)).isEmpty()) {
      Thread.onSpinWait();
    }

    // the second file is in the store, the first is not: a successor shuts the gap
    assertThat(replayed(SHARD, "a", 0)).isEmpty();
    firstMayLand.release();
    assertThatThrownBy(() -> log.await(second)).isInstanceOf(Log.EvictedException.class);
    assertThatThrownBy(() -> log.await(first)).isInstanceOf(Log.EvictedException.class);
  }

  @Test
  void aLogIsFencedAtItsEndThoughItsBeginningIsDeleted() throws Exception {
    // given a shard that wrote long ago, and another whose files made the log go on
    Member member = new Member("a");
    NodeLog log = new NodeLog(world, store, member, LogConfig.unmetered());
    for (int i = 0; i < 10; i++) {
      log.await(log.append(SHARD, 1, List.of(index(i, "a", "{}"))));
    }
    log.release(SHARD, Long.MAX_VALUE);
    log.deletable(Long.MAX_VALUE);
    while (store.get(LogFile.key("a", 8)).isPresent()) {
      Thread.onSpinWait();
    }
    // when
    assertThat(replayed(SHARD, "a", 2)).doesNotContain(1L);
    // then
    Log.Ticket late = log.append(SHARD, 1, List.of(index(10, "b", "{}")));
    assertThatThrownBy(() -> log.await(late)).isInstanceOf(Log.EvictedException.class);
    assertThat(
            new LogReplay(world, store, "c")
                .replay(LogReplay.Wanted.of(SHARD, "a", 9), (term, found) -> {}))
        .isEqualTo(1);
  }

  @Test
  void filesAreDeletedOldestFirstWhenNoShardNeedsThem() throws Exception {
    NodeLog log = new NodeLog(world, store, new Member("a"), LogConfig.unmetered());
    log.await(log.append(SHARD, 1, List.of(index(0, "a", "{}"))));
    log.await(log.append(OTHER, 1, List.of(index(0, "a", "{}"))));
    log.await(log.append(SHARD, 1, List.of(index(1, "b", "{}"))));

    log.release(OTHER, log.ordinal());
    log.deletable(3);
    assertThat(store.list("log/a/", "", 10)).hasSize(3);
    log.release(SHARD, 2);
    while (store.list("log/a/", "", 10).size() > 1) {
      Thread.onSpinWait();
    }
    assertThat(store.list("log/a/", "", 10).getFirst().key()).isEqualTo(LogFile.key("a", 2));
    assertThat(replayed(SHARD, "a", 2)).containsExactly(1L);
  }

  @Test
  void nothingIsDeletedBeforeTheStateKnowsThatItMayBe() throws Exception {
    // given a log that no shard needs
    NodeLog log = logOf(4);
    log.release(SHARD, Long.MAX_VALUE);
    LogBounds bounds = log.bounds(Map.of());
    assertThat(bounds).isEqualTo(new LogBounds(3, 3));
    assertThat(store.list("log/a/", "", 10)).hasSize(4);
    // when the state knows of a part of it
    log.deletable(2);
    while (store.list("log/a/", "", 10).size() > 2) {
      Thread.onSpinWait();
    }
    // then the rest stays, and what is deleted is missed by nobody
    LogReplay.Wanted wanted =
        new LogReplay.Wanted(SHARD, "a", 0, new LogBounds(2, bounds.durable()), false);
    assertThat(replayed(wanted)).containsExactly(2L, 3L);
  }

  @Test
  void theBoundsOfALogSayWhatWouldBeNeeded() throws Exception {
    NodeLog log = new NodeLog(world, store, new Member("a"), LogConfig.unmetered());
    assertThat(log.bounds(Map.of())).isEqualTo(new LogBounds(0, -1));
    log.await(log.append(SHARD, 1, List.of(index(0, "a", "{}"))));
    log.await(log.append(OTHER, 1, List.of(index(0, "a", "{}"))));
    log.await(log.append(SHARD, 1, List.of(index(1, "b", "{}"))));

    assertThat(log.bounds(Map.of())).isEqualTo(new LogBounds(0, 2));
    assertThat(log.bounds(Map.of(SHARD, 2L))).isEqualTo(new LogBounds(1, 2));
    assertThat(log.bounds(Map.of(SHARD, 2L, OTHER, 2L))).isEqualTo(new LogBounds(2, 2));
    assertThat(log.bounds(Map.of(SHARD, Long.MAX_VALUE, OTHER, 9L))).isEqualTo(new LogBounds(2, 2));
  }

  @Test
  void aSweepKeepsFencesAndLogsThatAreStillNeeded() throws Exception {
    NodeLog dead = new NodeLog(world, store, new Member("dead"), LogConfig.unmetered());
    dead.await(dead.append(SHARD, 1, List.of(index(0, "a", "{}"))));
    replayed(SHARD, "dead", 0);

    LogSweep sweep = new LogSweep(store, new Member("me"), new LogReplay(world, store, "me"));
    LogSweep.Folder folder = sweep.folders().get("dead");
    assertThat(folder.files()).containsExactly(LogFile.key("dead", 0));
    assertThat(folder.fences()).isEqualTo(1);
    Member zombie = new Member("zombie");
    zombie.evicted("slept too long");
    assertThat(new LogSweep(store, zombie, new LogReplay(world, store, "z")).delete(folder))
        .isZero();
    assertThat(sweep.delete(folder)).isEqualTo(1);
    assertThat(store.list("log/", "", 10))
        .singleElement()
        .satisfies(fence -> assertThat(fence.key()).isEqualTo(LogFile.key("dead", 1)));
  }
}
