package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which shards have something in the logs of dead nodes, and what is deleted of those.
final class LogContentsTest extends LogFixture {
  private final LogContents contents = new LogContents(store);

  private LogSweep.Folder folder(String node) throws Exception {
    LogSweep sweep = new LogSweep(store, new Member("me"), new LogReplay(world, store, "me"));
    return sweep.folders().get(node);
  }

  private static ShardId shard(int number) {
    return new ShardId(new IndexId("many", "uuid-of-an-index-with-many-shards"), number);
  }

  @Test
  void theDirectoriesOfItsFilesSayWhoseOperationsALogHolds() throws Exception {
    logOf(2);

    assertThat(contents.hold(folder("a"), SHARD)).isTrue();
    assertThat(contents.hold(folder("a"), OTHER)).isFalse();
    assertThat(contents.hold(folder("a"), new ShardId(SHARD.index(), 1))).isFalse();
  }

  @Test
  void aDirectoryLongerThanWhatIsReadAtFirstIsReadWhole() throws Exception {
    // given a file with something of several thousand shards
    NodeLog log = new NodeLog(world, store, new Member("a"), LogConfig.defaults());
    List<Log.Ticket> tickets = new ArrayList<>();
    for (int number = 0; number < 6_000; number++) {
      tickets.add(log.append(shard(number), 1, List.of(index(0, "id" + number, "{}"))));
    }
    for (Log.Ticket ticket : tickets) {
      log.await(ticket);
    }

    // then each is found, the last and the first
    LogSweep.Folder folder = folder("a");
    for (int number : new int[] {0, 1, 3_000, 5_999}) {
      assertThat(contents.hold(folder, shard(number))).isTrue();
    }
    assertThat(contents.hold(folder, shard(6_000))).isFalse();
    assertThat(replayed(shard(3_000), "a", 0)).containsExactly(0L);
  }

  @Test
  void aFileIsReadOnceUntilNobodyAsksAnyMore() throws Exception {
    logOf(1);
    LogSweep.Folder folder = folder("a");
    assertThat(contents.hold(folder, SHARD)).isTrue();

    store.deleteAll(folder.files());
    assertThat(contents.hold(folder, SHARD)).isTrue();
    contents.forget();

    assertThatThrownBy(() -> contents.hold(folder, SHARD))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  void aSweepOfALogThatIsNotFencedFencesItFirst() throws Exception {
    logOf(3);
    LogSweep sweep = new LogSweep(store, new Member("me"), new LogReplay(world, store, "me"));

    assertThat(folder("a").fences()).isZero();
    assertThat(folder("a").bytes()).isPositive();
    assertThat(sweep.delete(folder("a"))).isEqualTo(3);

    assertThat(store.list("log/", "", 10))
        .singleElement()
        .satisfies(fence -> assertThat(fence.key()).isEqualTo(LogFile.key("a", 3)));
  }

  @Test
  void whatIsNoPartOfALogIsNotSwept() throws Exception {
    logOf(1);
    for (String key : List.of("log/readme.txt", "log/a/readme.txt", "log/b/readme.txt")) {
      var _ = store.putIfAbsent(key, ObjectBody.of(new byte[100]));
    }
    LogSweep sweep = new LogSweep(store, new Member("me"), new LogReplay(world, store, "me"));

    assertThat(sweep.folders().keySet()).containsExactly("a");
    assertThat(sweep.delete(folder("a"))).isEqualTo(1);

    assertThat(store.list("log/", "", 10).stream().map(listed -> listed.key()))
        .containsExactly(
            LogFile.key("a", 1), "log/a/readme.txt", "log/b/readme.txt", "log/readme.txt");
  }

  @Test
  void aNodeNeverSweepsItsOwnLog() throws Exception {
    logOf(1);
    LogSweep own = new LogSweep(store, new Member("a"), new LogReplay(world, store, "a"));

    assertThat(own.delete(own.folders().get("a"))).isZero();

    assertThat(store.list("log/", "", 10)).hasSize(1);
  }

  @Test
  void logsOfManyNodesOverManyPagesAreToldApart() throws Exception {
    // given more files than a page has, of two nodes
    for (int i = 0; i < 1_500; i++) {
      for (String node : List.of("a", "b")) {
        var _ = store.putIfAbsent(LogFile.key(node, i), ObjectBody.of(new byte[100]));
      }
    }

    LogSweep sweep = new LogSweep(store, new Member("me"), new LogReplay(world, store, "me"));

    assertThat(sweep.folders().keySet()).containsExactly("a", "b");
    assertThat(sweep.folders().values())
        .allSatisfy(folder -> {
          assertThat(folder.files()).hasSize(1_500);
          assertThat(folder.bytes()).isEqualTo(150_000);
        });
  }
}
