package dev.holdfast.api.snapshot;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Indices that are being restored: as long as a shard of one has no commit of its own, or is read
/// in the snapshot that it begins with, that snapshot stays, and its repository as it is.
///
/// @param store the cluster's own
record RepositoryUse(ObjectStore store) {
  private static final Logger LOG = LoggerFactory.getLogger(RepositoryUse.class);
  private static final Duration COPIED_MAX = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(50);

  /// The snapshots that indices may still have to be read out of, by the uuids of the indices and
  /// of restores that are about to begin.
  private static SortedMap<String, SnapshotReference> restored(ClusterState state) {
    SortedMap<String, SnapshotReference> restored = RestoreReservation.all(state);
    for (IndexMetadata index : state.indices().values()) {
      IndexOrigin origin = index.origin();
      SnapshotReference snapshot = origin == null ? null : origin.snapshot();
      if (snapshot != null && (LentBlobs.of(index) != null || !isMarked(state, index))) {
        restored.put(index.id().uuid(), snapshot);
      }
    }
    return restored;
  }

  private static boolean isMarked(ClusterState state, IndexMetadata index) {
    for (int number = 0; number < index.shards(); number++) {
      if (!UploadMarks.of(state, new ShardId(index.id(), number)).isMarked()) {
        return false;
      }
    }
    return true;
  }

  /// Waits until no index is read in a snapshot any more; no longer than a client waits, who is
  /// told then.
  ///
  /// @param isMeant the origin of such an index
  static void awaitCopied(World world, Metadata metadata, Predicate<IndexOrigin> isMeant)
      throws InterruptedException {
    boolean _ =
        Await.until(world, COPIED_MAX, LOOK, () -> lent(metadata.current()).noneMatch(isMeant));
  }

  private static Stream<IndexOrigin> lent(ClusterState state) {
    return state.indices().values().stream()
        .flatMap(index -> Optional.ofNullable(index.origin()).stream())
        .filter(origin -> origin.lent() != null);
  }

  /// Whether shards are read in the snapshot that lies there.
  static Predicate<IndexOrigin> lentBy(String manifest) {
    return origin -> origin.lent() != null && origin.lent().manifest().equals(manifest);
  }

  /// Of a snapshot that can't be read nobody knows the uuid.
  ///
  /// @throws Refusal `concurrent_snapshot_execution_exception` while an index is read in it
  static ClusterState requireNotLent(
      ClusterState state, SnapshotRepository repository, String snapshot) {
    if (lent(state).anyMatch(lentBy(repository.key(snapshot)))) {
      throw beingRestored(repository.name(), snapshot);
    }
    return state;
  }

  private static Refusal beingRestored(String repository, String snapshot) {
    return new Refusal(
        ErrorType.CONCURRENT_SNAPSHOT,
        "["
            + repository
            + ":"
            + snapshot
            + "] cannot delete snapshot during a restore in progress");
  }

  /// The uuids of restored indices whose shards all have commits of their own, and all copies: one
  /// LIST a shard that the state does not know to have a commit.
  Set<String> begun(ClusterState state) throws IOException {
    Set<String> uuids = restored(state).keySet();
    Set<String> begun = new HashSet<>();
    for (IndexMetadata index : state.indices().values()) {
      if (uuids.contains(index.id().uuid()) && LentBlobs.of(index) == null && hasOwn(index)) {
        begun.add(index.id().uuid());
      }
    }
    return begun;
  }

  private boolean hasOwn(IndexMetadata index) throws IOException {
    for (int number = 0; number < index.shards(); number++) {
      if (!new CommitStore(store, new ShardId(index.id(), number)).hasOwn()) {
        return false;
      }
    }
    return true;
  }

  /// @param begun from [#begun]
  /// @throws Refusal when something is being restored out of that repository
  static void requireUnused(ClusterState state, String repository, Set<String> begun) {
    restored(state)
        .forEach((uuid, snapshot) -> {
          if (snapshot.repository().equals(repository) && !begun.contains(uuid)) {
            throw used(repository, "snapshot [" + snapshot.snapshot() + "] is being restored");
          }
        });
  }

  private static Refusal used(String repository, String how) {
    return new Refusal(
        ErrorType.REPOSITORY_CONFLICT,
        "["
            + repository
            + "] trying to modify or unregister repository that is currently used: "
            + how);
  }

  /// A repository that cannot be read keeps nobody from forgetting it.
  ///
  /// @throws Refusal `repository_conflict_exception` while a member of the cluster makes or deletes
  ///   one of its snapshots
  static void requireIdle(ClusterState state, SnapshotRepository repository) {
    List<Found> all;
    try {
      all = repository.all();
    } catch (IOException e) {
      LOG.warn("a repository cannot be read [repository={}]", repository.name(), e);
      return;
    }
    for (Found found : all) {
      SnapshotManifest manifest = found.manifest();
      if (manifest != null
          && !manifest.state().isFinished()
          && state.members().containsKey(manifest.node())) {
        throw used(
            repository.name(), "snapshot [" + manifest.name() + "] is " + manifest.state().shown());
      }
    }
  }

  /// @param begun from [#begun]
  /// @throws Refusal `concurrent_snapshot_execution_exception` when that snapshot is being restored
  static void requireNotRestored(ClusterState state, SnapshotReference wanted, Set<String> begun) {
    restored(state)
        .forEach((uuid, snapshot) -> {
          if (snapshot.uuid().equals(wanted.uuid()) && !begun.contains(uuid)) {
            throw beingRestored(wanted.repository(), wanted.snapshot());
          }
        });
  }
}
