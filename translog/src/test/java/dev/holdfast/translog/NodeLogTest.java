package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.Ownership;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.Faults;
import dev.holdfast.objectstore.Faulty;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Retrying;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.translog.Operation.Sent;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeLogTest {
  private static final ShardId SHARD = new ShardId(new IndexId("logs", "uuid-logs"), 0);
  private static final ShardId OTHER = new ShardId(new IndexId("other", "uuid-other"), 3);

  private final World world = World.real();
  private final MemoryStore store = new MemoryStore();

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  /// A node that is a member until it is evicted.
  private static final class Member implements Ownership {
    private final String id;
    private final List<String> evictions = new CopyOnWriteArrayList<>();
    private final CountDownLatch isEvicted = new CountDownLatch(1);

    Member(String id) {
      this.id = id;
    }

    @Override
    public String nodeEphemeralId() {
      return id;
    }

    @Override
    public boolean isStillMember() {
      return evictions.isEmpty();
    }

    @Override
    public boolean mayServe() {
      return evictions.isEmpty();
    }

    @Override
    public void evicted(String why) {
      evictions.add(why);
      isEvicted.countDown();
    }
  }

  private static Operation.Index index(long seqNo, String id, String source) {
    byte[] bytes = source.getBytes(StandardCharsets.UTF_8);
    return new Operation.Index(seqNo, 1, id, null, false, bytes, 0, bytes.length, Sent.ONCE);
  }

  private List<Long> replayed(ShardId shard, String node, long from) throws Exception {
    List<Long> seqNos = new ArrayList<>();
    new LogReplay(world, store, "successor")
        .replay(
            LogReplay.Wanted.of(shard, node, from),
            (term, operations) -> operations.forEach(o -> seqNos.add(o.seqNo())));
    return seqNos;
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
  void operationsSurviveTheirBytes() throws Exception {
    NodeLog log = new NodeLog(world, store, new Member("a"), LogConfig.unmetered());
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Operation> written = new ArrayList<>();
    WriteOrigin origin = WriteOrigin.NONE;
    int ordinal = 0;
    for (int i = 0; i < 500; i++) {
      if (random.nextInt(5) == 0) {
        origin =
            random.nextInt(4) == 0
                ? WriteOrigin.NONE
                : new WriteOrigin(random.nextLong() | 1, i + 10L, random.nextInt(i + 10));
        ordinal = random.nextInt(3);
      }
      boolean found = random.nextBoolean();
      ordinal += random.nextInt(3) == 0 ? 2 : 1;
      Sent sent = new Sent(origin, origin.isNone() ? 0 : ordinal, found);
      byte[] source = new byte[random.nextInt(300)];
      random.nextBytes(source);
      String routing = random.nextBoolean() ? "r" + i : null;
      written.add(
          random.nextInt(4) == 0
              ? new Operation.Delete(random.nextLong() >>> 1, i, "délété-" + i, sent)
              : new Operation.Index(
                  random.nextLong() >>> 1,
                  i,
                  "ïd" + i,
                  routing,
                  routing == null,
                  source,
                  0,
                  source.length,
                  sent));
    }
    log.await(log.append(SHARD, 7, written));

    List<Operation> read = new ArrayList<>();
    new LogReplay(world, store, "successor")
        .replay(
            LogReplay.Wanted.of(SHARD, "a", 0),
            (term, operations) -> {
              assertThat(term).isEqualTo(7);
              read.addAll(operations);
            });
    assertThat(read).as("seed " + seed).hasSameSizeAs(written);
    for (int i = 0; i < written.size(); i++) {
      if (written.get(i) instanceof Operation.Index w && read.get(i) instanceof Operation.Index r) {
        assertThat(r.seqNo()).isEqualTo(w.seqNo());
        assertThat(r.id()).isEqualTo(w.id());
        assertThat(r.routing()).isEqualTo(w.routing());
        assertThat(r.isAppend()).isEqualTo(w.isAppend());
        assertThat(r.sent()).isEqualTo(w.sent());
        assertThat(java.util.Arrays.copyOfRange(r.bytes(), r.offset(), r.offset() + r.length()))
            .isEqualTo(w.bytes());
      } else {
        assertThat(read.get(i)).isEqualTo(written.get(i));
      }
    }
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

  private static void awaitOrdinal(Log log, long ordinal) {
    while (log.ordinal() < ordinal) {
      Thread.onSpinWait();
    }
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

  /// Shard SHARD wrote operation n into file n.
  private NodeLog logOf(int files) throws Exception {
    NodeLog log = new NodeLog(world, store, new Member("a"), LogConfig.unmetered());
    for (int i = 0; i < files; i++) {
      log.await(log.append(SHARD, 1, List.of(index(i, "id" + i, "{}"))));
    }
    return log;
  }

  private List<Long> replayed(LogReplay.Wanted wanted) throws Exception {
    List<Long> seqNos = new ArrayList<>();
    new LogReplay(world, store, "successor")
        .replay(wanted, (term, operations) -> operations.forEach(o -> seqNos.add(o.seqNo())));
    return seqNos;
  }

  private static LogReplay.Wanted from(long ordinal, LogBounds bounds) {
    return new LogReplay.Wanted(SHARD, "a", ordinal, bounds, false);
  }

  private void assertLost(LogReplay.Wanted wanted, String key) {
    for (int tries = 0; tries < 2; tries++) { // the fence of the first is in the way of the second
      assertThatThrownBy(() -> replayed(wanted))
          .isInstanceOfSatisfying(
              LostObjectException.class, lost -> assertThat(lost.key()).isEqualTo(key));
    }
  }

  @Test
  void aFileThatIsMissingInTheMiddleIsNamed() throws Exception {
    // given a log whose state was told of its beginning
    NodeLog log = logOf(3);
    LogBounds bounds = log.bounds(Map.of());
    for (int i = 3; i < 8; i++) {
      log.await(log.append(SHARD, 1, List.of(index(i, "id" + i, "{}"))));
    }
    // when a file is lost that only later files know of
    store.deleteAll(List.of(LogFile.key("a", 5)));
    // then who needs it cannot go on, and who does not is not disturbed
    assertLost(from(2, bounds), LogFile.key("a", 5));
    assertThat(replayed(from(6, bounds))).containsExactly(6L, 7L);
    // and a person may say that it is accepted
    assertThat(replayed(new LogReplay.Wanted(SHARD, "a", 2, bounds, true)))
        .containsExactly(2L, 3L, 4L, 6L, 7L);
  }

  @Test
  void aLostFileStopsOnlyThoseWhoHadOperationsInIt() throws Exception {
    // given a file that only one shard needs
    NodeLog log = logOf(4);
    log.await(log.append(OTHER, 1, List.of(index(0, "a", "{}"))));
    log.await(log.append(SHARD, 1, List.of(index(4, "b", "{}"))));
    LogBounds bounds = log.bounds(Map.of());
    // when it is damaged, and when it is gone
    store.put(LogFile.key("a", 4), ObjectBody.of(new byte[200]));
    assertThat(replayed(from(2, bounds))).containsExactly(2L, 3L, 4L);
    store.deleteAll(List.of(LogFile.key("a", 4)));
    // then the other is not disturbed
    assertThat(replayed(from(2, bounds))).containsExactly(2L, 3L, 4L);
    LogReplay.Wanted other = new LogReplay.Wanted(OTHER, "a", 2, bounds, false);
    assertThatThrownBy(() -> replayed(other)).isInstanceOf(LostObjectException.class);
  }

  @Test
  void aFileThatIsPutBackOverTheFenceIsReplayed() throws Exception {
    NodeLog log = logOf(8);
    LogBounds bounds = log.bounds(Map.of());
    byte[] bytes = store.get(LogFile.key("a", 5)).orElseThrow().bytes();
    store.deleteAll(List.of(LogFile.key("a", 5)));
    assertLost(from(4, bounds), LogFile.key("a", 5));

    store.put(LogFile.key("a", 5), ObjectBody.of(bytes));

    assertThat(replayed(from(4, bounds))).containsExactly(4L, 5L, 6L, 7L);
  }

  @Test
  void aLogThatIsGoneIsMissed() throws Exception {
    NodeLog log = logOf(4);
    LogBounds bounds = log.bounds(Map.of());
    for (int i = 0; i < 4; i++) {
      store.deleteAll(List.of(LogFile.key("a", i)));
    }
    // the state knows, though the node had written nothing when the commit was made
    assertLost(from(0, bounds), LogFile.key("a", 0));
    // a commit at the end of the log shows that there was a log
    assertLost(from(4, new LogBounds(0, 0)), LogFile.key("a", 3));
    // a node that never acknowledged anything has no log, and nothing is missing
    assertThat(replayed(LogReplay.Wanted.of(SHARD, "b", 0))).isEmpty();
  }

  @Test
  void aFileThatNeverLandedIsNotMissed() throws Exception {
    // given an upload under way, and one behind it that has landed
    Semaphore mayLand = new Semaphore(0);
    ObjectStore slow = new Stalling(store, LogFile.key("a", 2), mayLand);
    NodeLog log = new NodeLog(world, slow, new Member("a"), LogConfig.unmetered());
    log.await(log.append(SHARD, 1, List.of(index(0, "a", "{}"))));
    log.await(log.append(SHARD, 1, List.of(index(1, "a", "{}"))));
    LogBounds bounds = log.bounds(Map.of());
    Log.Ticket _ = log.append(SHARD, 1, List.of(index(2, "a", "{}")));
    awaitOrdinal(log, 3);
    Log.Ticket _ = log.append(SHARD, 1, List.of(index(3, "b", "{}")));
    while (store.get(LogFile.key("a", 3)).isEmpty()) {
      Thread.onSpinWait();
    }
    // when the node is shut out
    List<Long> replayed = replayed(from(0, bounds));
    mayLand.release();
    // then what nobody was told of is missed by nobody, and what builds on it is not replayed
    assertThat(replayed).containsExactly(0L, 1L);
    // and nobody who recovers later, with whatever the state says, comes to another result
    assertThat(replayed(from(0, new LogBounds(0, 0)))).containsExactly(0L, 1L);
    assertThat(replayed(SHARD, "a", 1)).containsExactly(1L);
    assertThat(replayed(new LogReplay.Wanted(SHARD, "a", 0, bounds, true))).containsExactly(0L, 1L);
  }

  @Test
  void whatLandsBehindTheEndIsReplayedByNobody() throws Exception {
    // given a log that a first successor has read to its end
    NodeLog log = logOf(1);
    LogBounds bounds = log.bounds(Map.of());
    assertThat(replayed(from(0, bounds))).containsExactly(0L);

    // when the second of two files that were in flight then lands behind that end
    LogFile.Frame frame = new LogFile.Frame(SHARD, 1);
    frame.add(index(2, "c", "{}"));
    store.put(LogFile.key("a", 2), LogFile.write(List.of(frame), false, 0, List.of(SHARD)));

    // then a second successor replays what the first did
    assertThat(replayed(from(0, bounds))).containsExactly(0L);
    assertThat(replayed(SHARD, "a", 0)).containsExactly(0L);
  }

  @Test
  void aBrokenDirectoryIsReadFromTheOtherEnd() throws Exception {
    logOf(3);
    byte[] bytes = store.get(LogFile.key("a", 1)).orElseThrow().bytes();
    for (int at : new int[] {bytes.length - 1, bytes.length - LogFile.TRAILER_BYTES, 0}) {
      byte[] flipped = bytes.clone();
      flipped[at] ^= 64;
      store.put(LogFile.key("a", 1), ObjectBody.of(flipped));
      assertThat(replayed(from(0, new LogBounds(0, 2)))).containsExactly(0L, 1L, 2L);
    }
  }

  @Test
  void aFileThatIsBrokenAtBothEndsStopsThoseThatNeedIt() throws Exception {
    logOf(4);
    store.put(LogFile.key("a", 1), ObjectBody.of(new byte[40]));

    LogBounds bounds = new LogBounds(0, 3);
    assertThatThrownBy(() -> replayed(from(0, bounds)))
        .isInstanceOf(CorruptObjectException.class)
        .hasMessageContaining(LogFile.key("a", 1));
    assertThat(replayed(from(2, bounds))).containsExactly(2L, 3L);
    assertThat(replayed(new LogReplay.Wanted(SHARD, "a", 0, bounds, true)))
        .containsExactly(0L, 2L, 3L);
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

  @Test
  void aStoreThatDoesNotAnswerMakesWritesBeRefusedAndThenRecovers() throws Exception {
    Semaphore mayLand = new Semaphore(0);
    ObjectStore slow = new Stalling(store, LogFile.key("a", 0), mayLand);
    LogConfig config =
        new LogConfig(
            Duration.ofMillis(1),
            ByteSize.mib(1),
            2,
            5,
            10,
            ByteSize.mib(96),
            true,
            Duration.ofMillis(20),
            Duration.ofMillis(10));
    NodeLog log = new NodeLog(world, slow, new Member("a"), config);
    log.requireRoom();
    Log.Ticket ticket = log.append(SHARD, 1, List.of(index(0, "a", "{}")));
    Thread.sleep(50);

    assertThatThrownBy(log::requireRoom)
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("does not answer");

    mayLand.release();
    log.await(ticket);
    log.requireRoom();
  }

  /// One 403 used to end the node.
  @Test
  void aStoreThatRefusesIsWaitedOutAndWritesAreRefusedWithTheReason() throws Exception {
    Faulty faulty = new Faulty(store, world, Faults.NONE);
    faulty.refuse(StoreFailure.DENIED, "log/");
    LogConfig config =
        new LogConfig(
            Duration.ofMillis(1),
            ByteSize.mib(1),
            2,
            5,
            10,
            ByteSize.mib(96),
            true,
            Duration.ofSeconds(60),
            Duration.ofMillis(20));
    Member member = new Member("a");
    NodeLog log = new NodeLog(world, Retrying.forever(faulty, world), member, config);
    Log.Ticket ticket = log.append(SHARD, 1, List.of(index(0, "a", "{}")));

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                log.requireRoom();
                world.sleeper().sleep(Duration.ofMillis(10));
              }
            })
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.type()).isEqualTo(ErrorType.UNAVAILABLE_SHARDS))
        .hasMessageContaining("reason=denied")
        .hasMessageContaining(StoreFailure.DENIED.advice());

    faulty.refuse(StoreFailure.FULL, "log/");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                try {
                  log.requireRoom();
                } catch (Refusal e) {
                  if (e.type() == ErrorType.CLUSTER_BLOCK_FOR_NOW) {
                    throw e;
                  }
                }
                world.sleeper().sleep(Duration.ofMillis(10));
              }
            })
        .hasMessageContaining("the object store is full");

    faulty.refuse(null, "");
    log.await(ticket);
    log.requireRoom();
    assertThat(member.isStillMember()).isTrue();
    assertThat(replayed(SHARD, "a", 0)).containsExactly(0L);
  }

  @Test
  void aBusyLogSpendsItsBudgetAndNoMore() throws Exception {
    LogConfig config =
        new LogConfig(
            Duration.ofMillis(200),
            ByteSize.mib(16),
            2,
            5,
            2,
            ByteSize.mib(96),
            true,
            Duration.ofSeconds(10),
            Duration.ofSeconds(2));
    NodeLog log = new NodeLog(world, store, new Member("a"), config);
    long start = world.clock().nanoTime();
    for (int i = 0; i < 12; i++) {
      log.await(log.append(SHARD, 1, List.of(index(i, "a", "{}"))));
    }
    double seconds = (world.clock().nanoTime() - start) * 1e-9;

    long puts = log.counters().uploads();
    assertThat(puts).isLessThanOrEqualTo((long) (2 + 5 * seconds + 2));
  }

  @Test
  void anyFlippedByteIsRefused() throws IOException {
    LogFile.Frame frame = new LogFile.Frame(SHARD, 1);
    frame.add(index(5, "id", "{\"a\":1}"));
    byte[] good = LogFile.write(List.of(frame), false, -1, List.of(OTHER)).open().readAllBytes();
    for (int i = 0; i < good.length; i++) {
      byte[] flipped = good.clone();
      flipped[i] ^= 1;
      boolean isOfOtherCopy = i < framesFrom(good);
      if (isOfOtherCopy) {
        assertThat(LogFile.head(flipped, flipped.length)).as("byte " + i).isEmpty();
      } else {
        assertThatThrownBy(() -> readAll(flipped)).as("byte " + i).isInstanceOf(IOException.class);
      }
    }
  }

  private static long framesFrom(byte[] file) {
    LogFile.Tail head = LogFile.head(file, file.length).orElseThrow();
    return ((LogFile.Tail.Directory) head).entries().getFirst().offset();
  }

  private static List<Operation> readAll(byte[] file) throws IOException {
    LogFile.Tail tail = LogFile.tail(file, file.length, "key");
    LogFile.Entry entry = ((LogFile.Tail.Directory) tail).entries().getFirst();
    byte[] bytes =
        java.util.Arrays.copyOfRange(
            file, (int) entry.offset(), (int) entry.offset() + entry.length());
    return LogFile.operations(entry, bytes, "key");
  }

  /// The format is what is in people's buckets: these bytes must stay readable for ever.
  @Test
  void goldenBytesAreStillRead() throws Exception {
    byte[] golden = HexFormat.of().parseHex(GOLDEN);

    assertThat(readAll(golden))
        .singleElement()
        .satisfies(operation -> {
          Operation.Index index = (Operation.Index) operation;
          assertThat(index.seqNo()).isEqualTo(5);
          assertThat(index.id()).isEqualTo("id");
          assertThat(
                  new String(index.bytes(), index.offset(), index.length(), StandardCharsets.UTF_8))
              .isEqualTo("{\"a\":1}");
        });
  }

  /// As version 2 writes them: the write is named once, what does not follow is said.
  @Test
  void goldenOperationsStayAsTheyAre() throws Exception {
    WriteOrigin origin = new WriteOrigin(0x0102030405060708L, 300, 298);
    byte[] source = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    LogFile.Frame frame = new LogFile.Frame(SHARD, 1);
    List<Operation> operations =
        List.of(
            new Operation.Index(5, 1, "id", null, false, source, 0, 7, new Sent(origin, 0, false)),
            new Operation.Delete(6, 2, "id", new Sent(origin, 1, true)),
            new Operation.Index(
                7, 4, "other", null, false, source, 0, 7, new Sent(origin, 3, true)));

    operations.forEach(frame::add);

    byte[] bytes = frame.bytes.toArray();
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "050102030405060708ac020200"
                + "010501026964077b2261223a317d"
                + "440602026964"
                + "0603"
                + "410704056f74686572077b2261223a317d");
    OperationCodec.Reader reader = new OperationCodec.Reader(bytes);
    for (Operation operation : operations) {
      assertThat(reader.next().sent()).isEqualTo(operation.sent());
    }
  }

  private static final String GOLDEN =
      "28b52ffd200e710000010501026964077b2261223a317d0109757569642d6c6f"
          + "6773046c6f6773000101050500170e24119dd048464c4f473030310000000100"
          + "000000000000170000001c7d18b1241879b506";

  /// Holds back the first write of one key until it is let go.
  private static final class Stalling implements ObjectStore {
    private final MemoryStore store;
    private final String key;
    private final Semaphore mayLand;

    Stalling(MemoryStore store, String key, Semaphore mayLand) {
      this.store = store;
      this.key = key;
      this.mayLand = mayLand;
    }

    @Override
    public Creation putIfAbsent(String name, ObjectBody body)
        throws dev.holdfast.objectstore.StoreException {
      if (name.equals(key)) {
        mayLand.acquireUninterruptibly();
      }
      return store.putIfAbsent(name, body);
    }

    @Override
    public String name() {
      return "stalling";
    }

    @Override
    public Version put(String name, ObjectBody body)
        throws dev.holdfast.objectstore.StoreException {
      return store.put(name, body);
    }

    @Override
    public Swap compareAndSet(
        String name, @org.jspecify.annotations.Nullable Version expected, byte[] bytes) {
      return store.compareAndSet(name, expected, bytes);
    }

    @Override
    public java.util.Optional<StoredObject> get(String name) {
      return store.get(name);
    }

    @Override
    public byte[] getRange(String name, long offset, int length)
        throws dev.holdfast.objectstore.StoreException {
      return store.getRange(name, offset, length);
    }

    @Override
    public Suffix getSuffix(String name, int length)
        throws dev.holdfast.objectstore.StoreException {
      return store.getSuffix(name, length);
    }

    @Override
    public List<Listed> list(String prefix, String after, int max) {
      return store.list(prefix, after, max);
    }

    @Override
    public void copy(String from, String to) throws dev.holdfast.objectstore.StoreException {
      store.copy(from, to);
    }

    @Override
    public void deleteAll(java.util.Collection<String> keys) {
      store.deleteAll(keys);
    }

    @Override
    public void close() {}
  }
}
