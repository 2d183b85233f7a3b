package dev.holdfast.api.snapshot;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshotState;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes snapshots (decision 027): names what each shard has, pins it, looks whether the pin came
/// in time, and only then says that the snapshot is one.
public final class SnapshotCreation {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotCreation.class);

  /// Shards that are looked at side by side.
  private static final int SHARDS_AT_ONCE = 16;

  /// What shards of indices that were closed a moment ago may take together for last commits.
  private static final Duration CLOSING_MAX = Duration.ofSeconds(30);

  /// How often a shard may let go of a blob before the manifest names it.
  private static final int ROUNDS_MAX = 10;

  private final World world;
  private final Metadata metadata;
  private final ShardTaking taking;
  private final RunningSnapshots running;
  private final BlobCopies copies;

  SnapshotCreation(
      World world,
      Metadata metadata,
      ShardTaking taking,
      RunningSnapshots running,
      BlobCopies copies) {
    this.world = world;
    this.metadata = metadata;
    this.taking = taking;
    this.running = running;
    this.copies = copies;
  }

  World world() {
    return world;
  }

  /// A snapshot that has begun.
  record Begun(SnapshotRepository repository, SnapshotManifest manifest, Version version) {}

  /// Takes the name: from now on the snapshot is shown as one that is being made.
  ///
  /// @throws Refusal when the name is taken, the repository is full or may not be written
  Begun begin(SnapshotRepository repository, WantedSnapshot wanted) throws IOException {
    requireWritable(repository);
    SnapshotManifest manifest =
        new SnapshotManifest(
            wanted.name(),
            world.ids().uuid(),
            SnapshotState.STARTED,
            running.node(),
            world.clock().epochMillis(),
            0,
            wanted.hasGlobalState(),
            AbandonedSnapshots.ofCluster(wanted.about(), metadata.current()),
            new TreeMap<>());
    running.begin(manifest.uuid(), RunningSnapshots.Work.SNAPSHOT, wanted.shards());
    boolean hasBegun = false;
    try {
      Optional<Version> version = repository.create(manifest);
      hasBegun = version.isPresent();
      return new Begun(
          repository,
          manifest,
          version.orElseThrow(() -> SnapshotNames.inUse(repository, wanted.name())));
    } finally {
      if (!hasBegun) {
        running.end(manifest.uuid());
      }
    }
  }

  static void requireWritable(SnapshotRepository repository) throws IOException {
    if (repository.definition().isReadOnly()) {
      throw RepositoriesApi.readOnly(
          repository.name(), "cannot create snapshot in a readonly repository");
    }
    int max = repository.snapshotsMax();
    if (repository.names().size() >= max) {
      throw new Refusal(
          ErrorType.SNAPSHOT_OF_REQUEST,
          "["
              + repository.name()
              + "] Cannot add another snapshot to this repository as it already contains ["
              + max
              + "] snapshots and is configured to hold up to ["
              + max
              + "] snapshots only.");
    }
  }

  /// Nobody can make it: nothing of it is left.
  void abandon(Begun begun) {
    running.end(begun.manifest().uuid());
    giveUp(begun.repository(), begun.manifest());
  }

  /// Makes it, from the beginning to the end; nothing of it is left when that fails.
  SnapshotManifest make(Begun begun, WantedSnapshot wanted)
      throws IOException, InterruptedException {
    SnapshotRepository repository = begun.repository();
    Version version = begun.version();
    boolean isMade = false;
    try {
      Map<ShardId, SortedSet<BlobId>> known = known(repository);
      SnapshotManifest manifest = begun.manifest().with(taken(wanted, known));
      version = pinned(repository, manifest, version);
      for (int round = 1; ; round++) {
        SnapshotManifest again = outrun(manifest, known, round);
        if (again.equals(manifest)) {
          break;
        }
        manifest = again;
        version = pinned(repository, manifest, version);
      }
      if (!repository.isOwn()) {
        manifest = copies.copy(repository, manifest, known);
      }
      manifest = withoutDeleted(manifest);
      SnapshotManifest finished =
          manifest.in(ended(manifest, wanted.isPartial()), world.clock().epochMillis());
      version = pinned(repository, finished, version);
      isMade = true;
      LOG.info(
          "made a snapshot [repository={}, snapshot={}, state={}, shards={}, millis={}]",
          repository.name(),
          finished.name(),
          finished.state(),
          finished.shards().size(),
          finished.endMillis() - finished.startMillis());
      return finished;
    } finally {
      running.end(begun.manifest().uuid());
      if (!repository.isOwn()) {
        copies.end(begun.manifest());
      }
      if (!isMade) {
        giveUp(repository, begun.manifest());
      }
    }
  }

  /// Makes a snapshot of some of what another one has. That one pins it until this one does: if it
  /// is still there then, this pin came in time.
  void cloned(
      SnapshotRepository repository,
      SnapshotManifest source,
      String name,
      SortedMap<String, SnapshottedIndex> indices)
      throws IOException {
    Begun begun =
        begin(
            repository,
            new WantedSnapshot(
                name, List.of(), false, source.hasGlobalState(), CloneSnapshotApi.about(source)));
    boolean isMade = false;
    try {
      SnapshotManifest named = begun.manifest().with(indices);
      Version version = written(repository, named, begun.version());
      SnapshotManifest there = CloneSnapshotApi.source(repository, source.name());
      if (!there.uuid().equals(source.uuid())) {
        throw SnapshotNames.missing(repository.name(), source.name());
      }
      Version _ =
          written(repository, named.in(ended(named, true), world.clock().epochMillis()), version);
      isMade = true;
    } finally {
      running.end(begun.manifest().uuid());
      if (!isMade) {
        giveUp(repository, begun.manifest());
      }
    }
  }

  private static SnapshotState ended(SnapshotManifest manifest, boolean isPartial) {
    long failed = manifest.shards().stream().filter(shard -> !shard.isThere()).count();
    if (failed == 0) {
      return SnapshotState.SUCCESS;
    }
    return isPartial && failed < manifest.shards().size()
        ? SnapshotState.PARTIAL
        : SnapshotState.FAILED;
  }

  private Version pinned(SnapshotRepository repository, SnapshotManifest manifest, Version before)
      throws IOException {
    if (!repository.isOwn()) {
      copies.hold(manifest);
    }
    return written(repository, manifest, before);
  }

  private static Version written(
      SnapshotRepository repository, SnapshotManifest manifest, Version before) throws IOException {
    return repository
        .write(manifest, before)
        .orElseThrow(() ->
            new Refusal(
                ErrorType.SNAPSHOT_OF_REQUEST,
                "["
                    + repository.name()
                    + ":"
                    + manifest.name()
                    + "] snapshot was aborted by deletion"));
  }

  /// The blobs that the repository's finished snapshots have, by shard.
  private static Map<ShardId, SortedSet<BlobId>> known(SnapshotRepository repository)
      throws IOException {
    Map<ShardId, SortedSet<BlobId>> known = new HashMap<>();
    for (Found found : repository.all()) {
      SnapshotManifest manifest = found.manifest();
      if (manifest == null || !manifest.state().isFinished()) {
        continue;
      }
      for (SnapshottedIndex index : manifest.indices().values()) {
        for (int number = 0; number < index.shards().size(); number++) {
          known
              .computeIfAbsent(new ShardId(index.metadata().id(), number), _ -> new TreeSet<>())
              .addAll(index.shards().get(number).blobs());
        }
      }
    }
    return known;
  }

  private SortedMap<String, SnapshottedIndex> taken(
      WantedSnapshot wanted, Map<ShardId, SortedSet<BlobId>> known) throws InterruptedException {
    long beganNanos = world.clock().nanoTime();
    List<Callable<ShardTaking.Taken>> pieces = new ArrayList<>();
    for (IndexMetadata index : wanted.indices()) {
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        SortedSet<BlobId> there = known.getOrDefault(shard, new TreeSet<>());
        pieces.add(() -> {
          Duration left = CLOSING_MAX.minusNanos(world.clock().nanoTime() - beganNanos);
          return taking.flushed(metadata.current(), index, shard, there, left);
        });
      }
    }
    List<ShardTaking.Taken> taken = all(pieces);
    SortedMap<String, SnapshottedIndex> indices = new TreeMap<>();
    int at = 0;
    for (IndexMetadata index : wanted.indices()) {
      List<SnapshottedShard> shards = new ArrayList<>();
      IndexMetadata newest = metadata.current().indices().getOrDefault(index.id().name(), index);
      newest = isSame(newest, index) ? newest : index;
      for (int number = 0; number < index.shards(); number++) {
        shards.add(taken.get(at).shard());
        newest = grown(newest, taken.get(at).carried());
        at++;
      }
      indices.put(index.id().name(), new SnapshottedIndex(newest, shards));
    }
    return indices;
  }

  /// With the mapping of a commit's blob where this node has not heard of it yet.
  private static IndexMetadata grown(
      IndexMetadata index, @org.jspecify.annotations.Nullable IndexMetadata carried) {
    return carried != null
            && carried.mappingVersion() > index.mappingVersion()
            && isSame(carried, index)
        ? carried
        : index;
  }

  /// Whether it is the same index with the same shards.
  private static boolean isSame(IndexMetadata one, IndexMetadata other) {
    return one.id().equals(other.id()) && one.shards() == other.shards();
  }

  private List<ShardTaking.Taken> all(List<Callable<ShardTaking.Taken>> pieces)
      throws InterruptedException {
    List<ShardTaking.Taken> all = new ArrayList<>();
    for (FanOut.Outcome<ShardTaking.Taken> outcome :
        FanOut.of(world, "snapshot").atOnce(SHARDS_AT_ONCE).outcomes(pieces)) {
      all.add(
          switch (outcome) {
            case FanOut.Done<ShardTaking.Taken>(ShardTaking.Taken taken) -> taken;
            case FanOut.Failed<ShardTaking.Taken>(Throwable why) -> failed(why.toString());
            case FanOut.Late<ShardTaking.Taken> _ -> failed("late");
          });
    }
    return all;
  }

  private ShardTaking.Taken failed(String why) {
    return new ShardTaking.Taken(SnapshottedShard.failed(world.clock().epochMillis(), why), null);
  }

  /// The same when every pin came in time; else with the newest commits of those shards whose did
  /// not.
  private SnapshotManifest outrun(
      SnapshotManifest manifest, Map<ShardId, SortedSet<BlobId>> known, int round)
      throws InterruptedException {
    SortedMap<String, SnapshottedIndex> indices = new TreeMap<>();
    for (Map.Entry<String, SnapshottedIndex> one : manifest.indices().entrySet()) {
      IndexMetadata index = one.getValue().metadata();
      List<Callable<Optional<ShardTaking.Taken>>> pieces = new ArrayList<>();
      for (int number = 0; number < one.getValue().shards().size(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        SnapshottedShard taken = one.getValue().shards().get(number);
        pieces.add(() ->
            Optional.ofNullable(
                taking.outrun(
                    metadata.current(), shard, taken, known.getOrDefault(shard, new TreeSet<>()))));
      }
      List<Optional<ShardTaking.Taken>> looked;
      try {
        looked = FanOut.of(world, "snapshot").atOnce(SHARDS_AT_ONCE).all(pieces);
      } catch (RuntimeException | InterruptedException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("a shard could not be looked at", e);
      }
      List<SnapshottedShard> shards = new ArrayList<>();
      for (int number = 0; number < looked.size(); number++) {
        SnapshottedShard before = one.getValue().shards().get(number);
        ShardTaking.Taken now = looked.get(number).orElse(null);
        if (now != null && round >= ROUNDS_MAX) {
          now = failed("the shard is merged faster than its blobs can be pinned");
        }
        shards.add(now == null ? before : now.shard());
        index = now == null ? index : grown(index, now.carried());
      }
      indices.put(one.getKey(), new SnapshottedIndex(index, shards));
    }
    return manifest.with(indices);
  }

  /// An index that is deleted while it is pinned may lose its blobs all the same. One that got more
  /// shards was taken in part before, in part after some gave their documents away.
  private SnapshotManifest withoutDeleted(SnapshotManifest manifest) throws InterruptedException {
    ClusterState now = metadata.update("snapshot [" + manifest.name() + "]", state -> state);
    SortedMap<String, SnapshottedIndex> indices = new TreeMap<>(manifest.indices());
    indices.replaceAll((name, index) -> {
      IndexMetadata there = now.indices().get(name);
      boolean isThere = there != null && there.id().equals(index.metadata().id());
      if (there != null && isThere && there.shards() == index.shards().size()) {
        return index;
      }
      String why =
          isThere ? "index was split while it was taken, take it again" : "index was deleted";
      List<SnapshottedShard> gone =
          index.shards().stream()
              .map(shard -> SnapshottedShard.failed(shard.startMillis(), why))
              .toList();
      return new SnapshottedIndex(index.metadata(), gone);
    });
    return manifest.with(indices);
  }

  private void giveUp(SnapshotRepository repository, SnapshotManifest manifest) {
    try {
      AbandonedSnapshots.giveUp(world.clock(), repository, manifest.name(), manifest.uuid());
    } catch (IOException e) {
      running.leftBehind();
      LOG.warn(
          "a snapshot that failed cannot be given up now [repository={}, snapshot={}]",
          repository.name(),
          manifest.name(),
          e);
    }
  }
}
