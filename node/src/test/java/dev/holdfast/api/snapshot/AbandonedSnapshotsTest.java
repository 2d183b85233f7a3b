package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.indexing.repository.RepositoryConfig;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.snapshot.ManifestBytes;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshotState;
import dev.holdfast.node.FixedState;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a node that is gone has left half made or half deleted is taken away by the leader.
final class AbandonedSnapshotsTest {
  @TempDir Path folder;

  private static SnapshotManifest left(String name, SnapshotState state) {
    return new SnapshotManifest(
        name, name, state, "gone", 1, 0, false, Json.object(), new TreeMap<>());
  }

  @Test
  void theyAreGivenUp() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
      node.fill("books", 3);
      node.ok("PUT", "/_snapshot/r/whole?wait_for_completion=true", "");
    }
    World world = RealWorld.create();
    try (ObjectStore store =
        Stores.open("file:" + folder.resolve("store"), new TreeMap<>(), world)) {
      SnapshotRepository repository =
          new SnapshotRepository(
              world,
              new Repository("r", "fs", new TreeMap<>()),
              store,
              true,
              SnapshotRepository.OWN_FOLDER + "place/");
      assertThat(repository.write(left("begun", SnapshotState.STARTED), null)).isPresent();
      assertThat(repository.write(left("deleted", SnapshotState.DELETING), null)).isPresent();
      byte[] held = ManifestBytes.write(left("copied", SnapshotState.STARTED));
      var _ = store.put(BlobCopies.HELD + "copied", ObjectBody.of(held));
    }
    try (NodeFixture node = new NodeFixture(folder)) {
      Path pins = folder.resolve("store/pins");
      Eventually.holds(() -> StoredFiles.below(pins).size() == 1);
      assertThat(node.json("/_snapshot/r/_all").path("snapshots").findValuesAsText("snapshot"))
          .containsExactly("whole");
    }
  }

  /// Else the leader would look through all repositories every two seconds for as long as it lasts.
  @Test
  void aPinThatTheStoreDoesNotGiveHidesNoOtherAndIsLookedAtLater() throws Exception {
    World world = RealWorld.create();
    Faulty own = new Faulty(new MemoryStore(), world, StoreFaults.NONE);
    byte[] held = ManifestBytes.write(left("copied", SnapshotState.STARTED));
    for (String uuid : List.of("a", "b")) {
      var _ = own.put(BlobCopies.HELD + uuid, ObjectBody.of(held));
    }
    Metadata metadata = new FixedState(ClusterState.empty("c"));
    RunningSnapshots running = new RunningSnapshots("self");
    AbandonedSnapshots abandoned =
        new AbandonedSnapshots(
            world,
            metadata,
            new RepositoryStores(world, own, RepositoryConfig.OWN),
            own,
            running,
            new SnapshotDeletion(world, metadata, new RepositoryUse(own), running));
    own.refuse(StoreFailure.ARCHIVED, BlobCopies.HELD + "a");

    assertThat(abandoned.look(false)).isFalse();
    assertThat(own.get(BlobCopies.HELD + "b")).isEmpty();

    own.refuse(null, "");
    assertThat(abandoned.look(false)).isTrue();
    assertThat(own.get(BlobCopies.HELD + "a")).isEmpty();
  }

  /// The leader knows only whether that node lives.
  @Test
  void whoDoesNotLeadTakesAwayWhatItHasLeftBehindItself() throws Exception {
    AtomicLong nanos = new AtomicLong();
    World world = at(nanos);
    MemoryStore own = new MemoryStore();
    Repository definition = new Repository("r", "fs", new TreeMap<>(Map.of("location", "place")));
    Metadata metadata =
        new FixedState(Repositories.with(ClusterState.empty("c"), definition)); // none leads
    RepositoryStores stores = new RepositoryStores(world, own, RepositoryConfig.OWN);
    SnapshotRepository repository = stores.open(definition);
    RunningSnapshots running = new RunningSnapshots("self");
    AbandonedSnapshots abandoned =
        new AbandonedSnapshots(
            world,
            metadata,
            stores,
            own,
            running,
            new SnapshotDeletion(world, metadata, new RepositoryUse(own), running));
    for (String name : List.of("mine", "made")) {
      assertThat(repository.write(of("self", name), null)).isPresent();
    }
    assertThat(repository.write(of("gone", "theirs"), null)).isPresent();
    running.begin("made", RunningSnapshots.Work.SNAPSHOT, 1);
    running.leftBehind();

    abandoned.lookWhenDue();
    assertThat(repository.names()).as("not at once").hasSize(3);

    nanos.addAndGet(Duration.ofMinutes(2).toNanos());
    abandoned.lookWhenDue();
    assertThat(repository.names()).containsExactly("made", "theirs");
  }

  /// Who leads after it believes that this node goes on with it.
  @Test
  void whoLedTakesAwayWhatItCouldNotWhileItLed() throws Exception {
    AtomicLong nanos = new AtomicLong();
    World world = at(nanos);
    Faulty own = new Faulty(new MemoryStore(), world, StoreFaults.NONE);
    Repository definition = new Repository("r", "fs", new TreeMap<>(Map.of("location", "place")));
    ClusterState state = Repositories.with(ClusterState.empty("c"), definition);
    AtomicReference<String> leader = new AtomicReference<>("self");
    Metadata metadata = new Led(new FixedState(state), leader);
    RepositoryStores stores = new RepositoryStores(world, own, RepositoryConfig.OWN);
    SnapshotRepository repository = stores.open(definition);
    RunningSnapshots running = new RunningSnapshots("self");
    AbandonedSnapshots abandoned =
        new AbandonedSnapshots(
            world,
            metadata,
            stores,
            own,
            running,
            new SnapshotDeletion(world, metadata, new RepositoryUse(own), running));
    assertThat(repository.write(of("self", "mine"), null)).isPresent();
    running.leftBehind();
    own.refuse(StoreFailure.DENIED, SnapshotRepository.OWN_FOLDER);
    abandoned.lookWhenDue();
    own.refuse(null, "");
    assertThat(repository.names()).hasSize(1);

    leader.set("another");
    nanos.addAndGet(Duration.ofMinutes(2).toNanos());
    abandoned.lookWhenDue();
    assertThat(repository.names()).isEmpty();
  }

  private record Led(Metadata known, AtomicReference<String> leader) implements Metadata {
    @Override
    public ClusterState current() {
      return known.current();
    }

    @Override
    public String leaderId() {
      return leader.get();
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change)
        throws InterruptedException {
      return known.update(reason, change);
    }

    @Override
    public void listen(Listener listener) {
      known.listen(listener);
    }
  }

  private static SnapshotManifest of(String node, String name) {
    return new SnapshotManifest(
        name, name, SnapshotState.STARTED, node, 1, 0, false, Json.object(), new TreeMap<>());
  }

  private static World at(AtomicLong nanos) {
    World real = RealWorld.create();
    Clock clock =
        new Clock() {
          @Override
          public long nanoTime() {
            return nanos.get();
          }

          @Override
          public long epochMillis() {
            return 0;
          }
        };
    return new World(clock, real.sleeper(), real.ids(), real.chance(), real.tasks());
  }
}
