package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// What a node that lives finds out about files of its log that somebody deletes.
final class LogWatchTest extends LogFixture {
  private final Member member = new Member("a");
  private final NodeLog log = new NodeLog(world, store, member, LogConfig.unmetered());
  private final LogWatch watch = new LogWatch(world, store, member, log);

  private void write(int seqNo) throws Exception {
    log.await(log.append(SHARD, 1, List.of(index(seqNo, "id" + seqNo, "{}"))));
  }

  @Test
  void aFileThatAShardNeedsIsMissedUntilTheShardNeedsItNoMore() throws Exception {
    for (int seqNo = 0; seqNo < 4; seqNo++) {
      write(seqNo);
    }
    watch.look();
    assertThat(watch.lost()).isEqualTo(-1);

    store.deleteAll(List.of(LogFile.key("a", 1), LogFile.key("a", 2)));
    watch.look();
    assertThat(watch.lost()).isEqualTo(2);

    log.release(SHARD, 3);
    watch.look();
    assertThat(watch.lost()).isEqualTo(-1);
  }

  /// The newest file proves where the log ends, also to shards that need nothing of it.
  @Test
  void anEmptyFileTakesThePlaceOfTheNewestWhenNobodyNeedsWhatItHeld() throws Exception {
    write(0);
    write(1);
    store.deleteAll(List.of(LogFile.key("a", 0), LogFile.key("a", 1)));
    watch.look();
    assertThat(watch.lost()).isEqualTo(1);
    assertThat(store.get(LogFile.key("a", 1))).as("a shard needs what it held").isEmpty();

    log.release(SHARD, 2);
    watch.look();
    watch.look();

    assertThat(watch.lost()).isEqualTo(-1);
    assertThat(replayed(SHARD, "a", 2)).isEmpty();
    log.close();
  }

  @Test
  void aLogThatNobodyNeedsIsLookedAtOnce() throws Exception {
    write(0);
    log.release(SHARD, 1);
    watch.look();
    store.deleteAll(List.of(LogFile.key("a", 0)));

    watch.look();

    assertThat(watch.lost()).isEqualTo(-1);
    write(1);
    store.deleteAll(List.of(LogFile.key("a", 1)));
    watch.look();
    assertThat(watch.lost()).isEqualTo(1);
  }

  @Test
  void itIsLookedForOnceAMinute() throws Exception {
    write(0);
    store.deleteAll(List.of(LogFile.key("a", 0)));
    long now = world.clock().nanoTime();

    watch.tick(now);
    assertThat(watch.lost()).isEqualTo(-1);
    watch.tick(now + LogWatch.EVERY.toNanos());

    long endNanos = world.clock().nanoTime() + 20_000_000_000L;
    while (watch.lost() < 0) {
      assertThat(world.clock().nanoTime()).isLessThan(endNanos);
      Thread.sleep(5);
    }
    assertThat(watch.lost()).isZero();
  }
}
