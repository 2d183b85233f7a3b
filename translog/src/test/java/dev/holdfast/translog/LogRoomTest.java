package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

final class LogRoomTest extends LogFixture {
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
    Faulty faulty = new Faulty(store, world, StoreFaults.NONE);
    faulty.refuse(StoreFailure.DENIED, "log/");
    LogConfig config =
        new LogConfig(
            Duration.ofMillis(1),
            ByteSize.mib(1),
            2,
            5,
            10,
            ByteSize.mib(96),
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
}
