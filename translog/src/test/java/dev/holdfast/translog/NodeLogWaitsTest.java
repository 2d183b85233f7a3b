package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.ThreadShortage;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What waits for the log, what it counts, and what its own node reads of it.
@Timeout(60)
final class NodeLogWaitsTest extends LogFixture {
  private static final Duration SHORT = Duration.ofMillis(5);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Semaphore mayLand = new Semaphore(0);

  private NodeLog slow(Member member) {
    ObjectStore slow = new Stalling(store, LogFile.key("a", 0), mayLand);
    return new NodeLog(world, slow, member, LogConfig.unmetered());
  }

  @Test
  void aWaitEndsWithTheTimeOrWhenTheFileIsThere() throws Exception {
    NodeLog log = slow(new Member("a"));
    Log.Ticket ticket = log.append(SHARD, 1, List.of(index(0, "a", "{}")));

    assertThat(log.isDurable(ticket)).isFalse();
    assertThat(log.await(ticket, SHORT)).isFalse();
    assertThat(log.await(ticket, Duration.ZERO)).isFalse();
    mayLand.release();
    assertThat(log.await(ticket, LONG)).isTrue();

    assertThat(log.isDurable(ticket)).isTrue();
    assertThat(log.await(ticket, Duration.ZERO)).isTrue();
  }

  @Test
  void aWaitEndsWithTheNode() throws Exception {
    Member member = new Member("a");
    NodeLog log = slow(member);
    Log.Ticket ticket = log.append(SHARD, 1, List.of(index(0, "a", "{}")));

    // a successor shuts the log while the file is under way
    assertThat(store.putIfAbsent(LogFile.key("a", 0), fence())).isNotNull();
    mayLand.release();

    assertThatThrownBy(() -> log.await(ticket, LONG)).isInstanceOf(Log.EvictedException.class);
    assertThat(log.isDurable(ticket)).isFalse();
  }

  /// Nobody would upload what was sealed, and whoever waits for it would wait for ever.
  @Test
  void aLogThatNoThreadUploadsStopsItsNode() throws Exception {
    ThreadShortage threads = new ThreadShortage(world.tasks());
    Member member = new Member("a");
    NodeLog log = new NodeLog(threads.in(world), store, member, LogConfig.unmetered());
    threads.begin("translog-upload");

    Log.Ticket ticket = log.append(SHARD, 1, List.of(index(0, "a", "{}")));

    assertThatThrownBy(() -> log.await(ticket, LONG)).isInstanceOf(Log.EvictedException.class);
    member.isEvicted.await();
  }

  @Test
  void whoComesAfterTheEndWaitsForNothing() throws Exception {
    NodeLog log = logOf(1);
    log.close();

    assertThatThrownBy(log::requireRoom)
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.type()).isEqualTo(ErrorType.NODE_CLOSED));
    Log.Ticket late = log.append(SHARD, 1, List.of(index(1, "late", "{}")));

    assertThatThrownBy(() -> log.await(late, LONG)).isInstanceOf(Log.EvictedException.class);
    assertThatThrownBy(() -> log.await(late)).isInstanceOf(Log.EvictedException.class);
    log.close(); // once more
  }

  @Test
  void aLogThatIsBeingClosedUploadsWhatItHas() throws Exception {
    NodeLog log = slow(new Member("a"));
    Log.Ticket first = log.append(SHARD, 1, List.of(index(0, "a", "{}")));
    awaitOrdinal(log, 1);
    Tasks.Task closing = world.tasks().start("close", log::close);
    mayLand.release();

    closing.join();

    assertThat(log.isDurable(first)).isTrue();
  }

  /// As in a process whose package was replaced: a class that it has not loaded yet is gone.
  @Test
  void aWaitEndsWhenAnUploadEndsInAnError() throws Exception {
    ObjectStore broken =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("putIfAbsent")) {
                    throw new NoClassDefFoundError("gone");
                  }
                  return method.invoke(store, arguments);
                });
    Member member = new Member("a");
    NodeLog log = new NodeLog(world, broken, member, LogConfig.unmetered());

    Log.Ticket ticket = log.append(SHARD, 1, List.of(index(0, "a", "{}")));

    assertThatThrownBy(() -> log.await(ticket, LONG)).isInstanceOf(Log.EvictedException.class);
    assertThat(member.isEvicted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  /// The lease could not be read, or the store broke off.
  @Test
  void whatCouldNotBeDeletedIsDeletedWithTheNext() throws Exception {
    AtomicInteger failuresLeft = new AtomicInteger(1);
    ObjectStore failing =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("deleteAll") && failuresLeft.getAndDecrement() > 0) {
                    throw new StoreException.Denied("not now", null);
                  }
                  return method.invoke(store, arguments);
                });
    NodeLog log = new NodeLog(world, failing, new Member("a"), LogConfig.unmetered());
    for (int i = 0; i < 3; i++) {
      log.await(log.append(SHARD, 1, List.of(index(i, "id" + i, "{}"))));
    }
    log.deletable(Long.MAX_VALUE);
    log.release(SHARD, Long.MAX_VALUE);
    while (failuresLeft.get() > 0) {
      Thread.onSpinWait();
    }

    while (store.list("log/a/", "", 10).size() > 1) {
      log.release(SHARD, Long.MAX_VALUE);
      Thread.onSpinWait();
    }
  }

  private static ObjectBody fence() {
    return ObjectBody.of(LogFile.fence("successor"));
  }

  @Test
  void aBarrierIsTheLastFileThatHasAnything() throws Exception {
    NodeLog log = slow(new Member("a"));
    assertThat(log.barrier().ordinal()).isEqualTo(-1);
    log.await(log.barrier());

    Log.Ticket first = log.append(SHARD, 1, List.of(index(0, "a", "{}")));
    assertThat(log.barrier().ordinal()).isEqualTo(first.ordinal());
    awaitOrdinal(log, 1);
    assertThat(log.barrier().ordinal()).isZero();
    assertThat(log.await(log.barrier(), SHORT)).isFalse();

    mayLand.release();
    assertThat(log.await(log.barrier(), LONG)).isTrue();
  }

  @Test
  void operationsBytesAndUploadsAreCounted() throws Exception {
    NodeLog log = new NodeLog(world, store, new Member("a"), LogConfig.unmetered());
    assertThat(log.counters()).isEqualTo(new LogCounters.Snapshot(0, 0, 0, 0, 0, 0, 0));

    log.await(log.append(SHARD, 1, List.of(index(0, "a", "{}"), index(1, "b", "{}"))));
    LogCounters.Snapshot one = log.counters();
    log.await(log.append(OTHER, 1, List.of(index(0, "c", "{}"))));

    LogCounters.Snapshot two = log.counters();
    assertThat(one.operations()).isEqualTo(2);
    assertThat(two.operations()).isEqualTo(3);
    assertThat(one.bytes()).isPositive();
    assertThat(two.bytes()).isGreaterThan(one.bytes()).isLessThan(2 * one.bytes());
    assertThat(one.uploads()).isEqualTo(1);
    assertThat(two.uploads()).isEqualTo(2);
    assertThat(two.uploadedBytes())
        .isEqualTo(store.list("log/a/", "", 10).stream().mapToLong(Listed::length).sum());
    assertThat(two.bufferedBytes()).isZero();
    assertThat(two.files()).isEqualTo(2);
    assertThat(log.sealedToDurable().snapshot().count()).isEqualTo(2);
    assertThat(log.files().keySet()).containsExactly(0L, 1L);
    assertThat(log.files().get(0L)).isEqualTo(Set.of(SHARD.toString()));
  }

  @Test
  void itsOwnNodeReadsALogWithoutFencingIt() throws Exception {
    NodeLog log = logOf(4);
    List<Long> seqNos = new ArrayList<>();

    long count =
        new LogReplay(world, store, "a")
            .replayOwn(
                LogReplay.Wanted.of(SHARD, "a", 1),
                3,
                (term, operations) -> operations.forEach(one -> seqNos.add(one.seqNo())));

    assertThat(seqNos).containsExactly(1L, 2L);
    assertThat(count).isEqualTo(2);
    assertThat(store.list("log/a/", "", 10)).hasSize(4);
    log.await(log.append(SHARD, 1, List.of(index(4, "later", "{}"))));
  }
}
