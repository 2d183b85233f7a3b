package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.CorruptObjectException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

final class LostLogFilesTest extends LogFixture {
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
  void aFileGoesOnlyWhenTheLogItselfTellsThatItWasDurable() throws Exception {
    // given a file of another shard, and one of ours that was sealed while it was in flight
    Semaphore mayLand = new Semaphore(0);
    ObjectStore slow = new Stalling(store, LogFile.key("a", 2), mayLand);
    NodeLog log = new NodeLog(world, slow, new Member("a"), LogConfig.unmetered());
    log.await(log.append(SHARD, 1, List.of(index(0, "a", "{}"))));
    log.await(log.append(OTHER, 1, List.of(index(0, "a", "{}"))));
    Log.Ticket _ = log.append(OTHER, 1, List.of(index(1, "b", "{}")));
    awaitOrdinal(log, 3);
    Log.Ticket ours = log.append(SHARD, 1, List.of(index(1, "b", "{}")));
    awaitOrdinal(log, 4);
    mayLand.release();
    log.await(ours);
    // when all that our shard does not need may go
    LogBounds bounds = log.bounds(Map.of(SHARD, 1L, OTHER, 4L));
    log.release(SHARD, 1);
    log.release(OTHER, 4);
    log.deletable(bounds.low());
    while (store.list("log/a/", "", 10).size() > 2) {
      Thread.onSpinWait();
    }
    // then it is found without the state's help, which may be lost
    assertThat(bounds).isEqualTo(new LogBounds(2, 3));
    assertThat(replayed(SHARD, "a", 1)).containsExactly(1L);
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
    String key = LogFile.key("a", 2);
    store.put(key, LogFile.write(key, List.of(frame), false, 0, List.of(SHARD)));

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
  void aCopyOfAnotherFileIsNotReplayedInItsPlace() throws Exception {
    logOf(4);
    byte[] other = store.get(LogFile.key("a", 1)).orElseThrow().bytes();
    store.put(LogFile.key("a", 2), ObjectBody.of(other));

    assertThatThrownBy(() -> replayed(from(0, new LogBounds(0, 3))))
        .isInstanceOf(CorruptObjectException.class)
        .hasMessageContaining("a copy of [" + LogFile.key("a", 1) + "]")
        .hasMessageContaining(LogFile.key("a", 2));
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
}
