package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.budget.Deferrable;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A log whose files wait for money: what is in them is acknowledged later, and not before.
class PacedLogTest extends LogFixture {
  private static final double REQUEST = 5e-6;

  private final SpendingPace pace = new SpendingPace(world.clock()::nanoTime, REQUEST);

  private NodeLog log(LogConfig config) {
    return new NodeLog(world, store, new Member("a"), config, pace);
  }

  @Test
  void nothingIsDurableBeforeThereIsMoneyAndThenItIs() throws Exception {
    pace.limit(2 * REQUEST);
    NodeLog log = log(LogConfig.unmetered());
    Log.Ticket ticket = log.append(SHARD, 1, List.of(index(0, "a", "{}")));

    assertThat(log.await(ticket, Duration.ofMillis(100))).isFalse();
    assertThat(store.list("log/", "", 10)).isEmpty();
    Log.Ticket later = log.append(SHARD, 1, List.of(index(1, "b", "{}")));
    assertThat(later).as("the same file").isEqualTo(ticket);

    log.await(ticket);
    assertThat(store.list("log/", "", 10)).hasSize(1);
    assertThat(replayed(SHARD, "a", 0)).containsExactly(0L, 1L);
    assertThat(pace.waits(Deferrable.LOG_FILE).held()).isEqualTo(1);
    assertThat(pace.waits(Deferrable.LOG_FILE).lastSeconds()).isGreaterThan(0.1);
  }

  /// Two files were saved up; the third is due in an hour.
  @Test
  void aFileGoesWhenSomebodyAsksForItThoughNoRequestsAreLeft() throws Exception {
    LogConfig defaults = LogConfig.unmetered();
    LogConfig thrifty =
        new LogConfig(
            Duration.ofHours(1),
            defaults.fileBytesMax(),
            defaults.uploadsMax(),
            1e-9,
            2,
            defaults.bufferedBytesMax(),
            defaults.heldBytesMax(),
            defaults.compresses(),
            defaults.silenceMax(),
            defaults.refusedMax());
    NodeLog log = new NodeLog(world, store, new Member("a"), thrifty);
    log.await(log.append(SHARD, 1, List.of(index(0, "a", "{}"))));
    log.await(log.append(SHARD, 1, List.of(index(1, "b", "{}"))));
    Log.Ticket ticket = log.append(SHARD, 1, List.of(index(2, "c", "{}")));
    assertThat(log.await(ticket, Duration.ofMillis(100))).isFalse();

    log.hurry();

    log.await(ticket);
    log.hurry(); // also for what comes next
    log.await(log.append(SHARD, 1, List.of(index(3, "d", "{}"))));
    assertThat(
            log.await(log.append(SHARD, 1, List.of(index(4, "e", "{}"))), Duration.ofMillis(100)))
        .isFalse();
  }

  @Test
  void writesAreRefusedWithTheReasonWhenTooManyBytesWaitForMoney() throws Exception {
    pace.limit(REQUEST / 1000);
    NodeLog log = log(LogConfig.unmetered().withHeldBytesMax(new ByteSize(1000)));
    log.requireRoom();
    Log.Ticket ticket =
        log.append(SHARD, 1, List.of(index(0, "a", "{\"a\":\"" + "x".repeat(2000) + "\"}")));
    assertThat(log.await(ticket, Duration.ofMillis(100))).isFalse();

    assertThatThrownBy(log::requireRoom)
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("[store.budget]");

    pace.limit(Double.POSITIVE_INFINITY);
    log.await(ticket);
    log.requireRoom();
  }

  @Test
  void aLogThatIsClosedWaitsForNoMoney() throws Exception {
    pace.limit(REQUEST / 1000);
    NodeLog log = log(LogConfig.unmetered());
    Log.Ticket ticket = log.append(SHARD, 1, List.of(index(0, "a", "{}")));
    assertThat(log.await(ticket, Duration.ofMillis(50))).isFalse();

    log.close();

    assertThat(log.isDurable(ticket)).isTrue();
    assertThat(replayed(SHARD, "a", 0)).containsExactly(0L);
  }
}
