package dev.holdfast.indexing.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.DeletedIndices;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.PointInTimePin;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.pin.OverduePins;
import dev.holdfast.indexing.recovery.StateRebuild;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.file.FileStore;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class TrashTest extends SweepFixture {
  @Test
  void aFolderOfAnIndexThatTheStateMerelyDoesNotHaveIsKeptUntilAPersonConfirms() throws Exception {
    // given: a state that has lost an index
    TestIndexingNode dead = node("dead");
    ShardId lost = written(dead, "lost");
    ClusterState without =
        ClusterState.empty(dead.cluster.current().clusterUuid())
            .at(dead.cluster.current().term(), dead.cluster.current().version());
    dead.crash();
    Changing state = new Changing(without);
    // when
    OrphanSweep sweep = sweep(store, state, new Leader(true), dead.tier);
    until("more than the grace", () -> sweep.report().sweeps() > GRACE.toMillis() / 50 + 5);
    // then
    assertThat(sweep.report().unknown()).containsEntry(lost.folder(), lost.index().uuid());
    assertThat(blobs(lost)).isNotEmpty();
    state.current = DeletedIndices.confirm(without, List.of(lost.index().uuid()));
    until("it goes when a person says so", () -> blobs(lost).isEmpty());
    assertThat(sweep.report().unknown()).isEmpty();
  }

  /// A state that the test changes.
  private static final class Changing implements Metadata {
    volatile ClusterState current;

    Changing(ClusterState current) {
      this.current = current;
    }

    @Override
    public ClusterState current() {
      return current;
    }

    @Override
    public String leaderId() {
      return "leader";
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      throw new UnsupportedOperationException(reason);
    }

    @Override
    public void listen(Listener listener) {
      listener.changed(current, current);
    }
  }

  @Test
  void aSweepTakesAShareOnlyAndPutsItIntoTheTrash() throws Exception {
    // given: 30 indices were deleted at once, and their owner died
    TestIndexingNode dead = node("dead");
    List<ShardId> gone = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      ShardId shard = dead.create("gone-" + i);
      dead.done(shard, TestIndexingNode.index("a", "{\"x\":1}"));
      gone.add(shard);
    }
    ClusterState without =
        dead.cluster.update(
            "delete",
            state -> {
              ClusterState left = state;
              for (ShardId shard : gone) {
                left = left.withoutIndex(shard.index().name());
              }
              return left;
            });
    dead.crash();
    long all = 0;
    for (ShardId shard : gone) {
      all += blobs(shard).size();
    }
    // when: one sweep, and the grace is over
    SweepConfig once = new SweepConfig(LONG, Duration.ZERO, Duration.ofMillis(50), LONG);
    OrphanSweep sweep =
        new OrphanSweep(
            world,
            store,
            storeClock(),
            new Fixed(without),
            new Leader(true),
            member -> dead.tier,
            once);
    sweep.start();
    until("a share is gone", () -> sweep.report().deletedBlobs() > 0);
    world.sleeper().sleep(Duration.ofMillis(300));
    // then
    assertThat(sweep.report().deletedBlobs()).isLessThanOrEqualTo(all / 10);
    List<String> trash =
        store.list("trash/", "", 1000).stream().map(ObjectStore.Listed::key).toList();
    assertThat(trash).hasSize((int) sweep.report().deletedBlobs());
    String uuid = trash.getFirst().split("/")[4];
    ShardId restored =
        gone.stream().filter(s -> s.index().uuid().equals(uuid)).findFirst().orElseThrow();
    assertThat(blobs(restored)).isEmpty();
    assertThat(StateRebuild.fromTrash(store, uuid)).isPositive();
    assertThat(new CommitStore(store, restored).newest()).isPresent();
  }

  @Test
  void whatItsOwnerHasDeletedMeanwhileKeepsNothingElseFromTheTrash() throws Exception {
    String first = "shards/00/uuid/0/f/a";
    String last = "shards/00/uuid/0/f/c";
    store.put(first, ObjectBody.of(new byte[] {1}));
    store.put(last, ObjectBody.of(new byte[] {1}));

    Trash trash = new Trash(world, store, new Leader(true), storeClock(), LONG);

    assertThat(trash.take(List.of(first, "shards/00/uuid/0/f/b", last))).isTrue();
    assertThat(store.list("shards/00/uuid/", "", 10)).isEmpty();
    assertThat(store.list("trash/", "", 10)).hasSize(2);
    assertThat(trash.take(List.of(first))).isTrue();
  }

  @Test
  void theTrashIsEmptiedAfterItsTime() throws Exception {
    String old = "trash/000000000000001/shards/00/uuid/0/f/f";
    String fresh =
        String.format(Locale.ROOT, "trash/%015d/shards/00/uuid/0/f/f", world.clock().epochMillis());
    store.put(old, ObjectBody.of(new byte[] {1}));
    store.put(fresh, ObjectBody.of(new byte[] {1}));

    Trash trash = new Trash(world, store, new Leader(true), storeClock(), LONG);

    assertThat(trash.sweep()).isEqualTo(1);
    assertThat(trash.objects()).isEqualTo(1);
    assertThat(store.list("trash/", "", 10)).hasSize(1);
    assertThat(new Trash(world, store, new Leader(false), storeClock(), Duration.ZERO).sweep())
        .isZero();
  }

  /// What a store calls its own time, whatever the clock here says.
  private StoreClock storeClock() {
    return new StoreClock(world, store);
  }

  @Test
  void nothingIsEmptiedWhileTheClockContradictsTheStores() throws Exception {
    Path files = Files.createDirectory(folder.resolve("files"));
    ObjectStore dated = new FileStore(files);
    String old = "trash/000000000000001/shards/00/uuid/0/f/f";
    String key = "shards/00/uuid/0/f/e";
    dated.put(old, ObjectBody.of(new byte[] {1}));
    dated.put(key, ObjectBody.of(new byte[] {1}));
    World ahead = ahead(Duration.ofDays(2));
    StoreClock storeClock = new StoreClock(ahead, dated);

    Trash trash = new Trash(ahead, dated, new Leader(true), storeClock, LONG);

    assertThat(trash.sweep()).isZero();
    assertThat(trash.objects()).isOne();
    assertThat(trash.mayTake()).isFalse();
    Trash right = new Trash(world, dated, new Leader(true), new StoreClock(world, dated), LONG);
    assertThat(right.mayTake()).isTrue();
    assertThat(right.sweep()).isOne();
  }

  @Test
  void aPointInTimeIsOverByTheStoresTimeOnly() throws Exception {
    ObjectStore dated = new FileStore(Files.createDirectory(folder.resolve("files")));
    long untilMillis = world.clock().epochMillis() + Duration.ofHours(1).toMillis();
    String key = PointInTimePin.key("open");
    dated.put(key, ObjectBody.of(new PointInTimePin("open", untilMillis, List.of()).bytes()));
    World ahead = ahead(Duration.ofDays(2));

    assertThat(new OverduePins(ahead, dated, new StoreClock(ahead, dated), GRACE).sweep()).isZero();
    assertThat(dated.get(key)).isPresent();
  }

  @Test
  void whatADeadProcessProbedGoesAfterADay() throws Exception {
    Path files = Files.createDirectory(folder.resolve("files"));
    ObjectStore dated = new FileStore(files);
    String left = "probe/dead/listed/B/a";
    for (String key : List.of(left, "probe/living/created", "probe/notes", "probe/a/notes")) {
      dated.put(key, ObjectBody.of(new byte[] {1}));
      if (!key.startsWith("probe/living/")) {
        long twoDays = world.clock().epochMillis() - Duration.ofDays(2).toMillis();
        Files.setLastModifiedTime(files.resolve(key), FileTime.fromMillis(twoDays));
      }
    }
    StoreClock storeClock = new StoreClock(world, dated);

    assertThat(new ProbeLeftovers(world, dated, new Leader(false), storeClock).sweep()).isZero();
    assertThat(new ProbeLeftovers(world, dated, new Leader(true), storeClock).sweep()).isOne();

    assertThat(dated.get(left)).isEmpty();
    assertThat(dated.list("probe/", "", 10))
        .extracting(ObjectStore.Listed::key)
        .containsExactly("probe/a/notes", StoreClock.KEY, "probe/living/created", "probe/notes");
  }

  private World ahead(Duration by) {
    Clock clock =
        new Clock() {
          @Override
          public long nanoTime() {
            return world.clock().nanoTime();
          }

          @Override
          public long epochMillis() {
            return world.clock().epochMillis() + by.toMillis();
          }
        };
    return new World(clock, world.sleeper(), world.ids(), world.chance(), world.tasks());
  }

  @Test
  void whatOthersPutThereIsNeitherRestoredNorEmptied() throws Exception {
    String ours = "shards/00/uuid/0/f/f";
    store.put("trash/.notes", ObjectBody.of(new byte[] {1}));
    store.put("trash/000000000000001/" + ours, ObjectBody.of(new byte[] {1}));
    store.put("trash/1/uuid/notes", ObjectBody.of(new byte[] {1}));

    assertThat(StateRebuild.fromTrash(store, "uuid")).isOne();
    assertThat(store.get(ours)).isPresent();
    assertThat(new Trash(world, store, new Leader(true), storeClock(), LONG).sweep()).isOne();

    assertThat(store.list("trash/", "", 10))
        .extracting(ObjectStore.Listed::key)
        .containsExactly("trash/.notes", "trash/1/uuid/notes");
  }
}
