package dev.holdfast.api.snapshot;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.DeletedIndices;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.indexing.repository.Cleaning;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshotState;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes snapshots (decision 027): marks one, looks whether it is being restored, and lets go of
/// what it has.
public final class SnapshotDeletion {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotDeletion.class);

  private final World world;
  private final Metadata metadata;
  private final RepositoryUse use;
  private final RunningSnapshots running;

  SnapshotDeletion(World world, Metadata metadata, RepositoryUse use, RunningSnapshots running) {
    this.world = world;
    this.metadata = metadata;
    this.use = use;
    this.running = running;
  }

  /// Deletes a snapshot; one that is being made ends there, and its maker is told.
  ///
  /// @throws Refusal `snapshot_missing_exception`, or `concurrent_snapshot_execution_exception`
  ///   while it is being restored
  public void delete(SnapshotRepository repository, String name)
      throws IOException, InterruptedException {
    RepositoryUse.awaitCopied(world, metadata, RepositoryUse.lentBy(repository.key(name)));
    while (true) {
      Found found =
          repository.find(name).orElseThrow(() -> SnapshotNames.missing(repository.name(), name));
      SnapshotManifest manifest = found.manifest();
      if (manifest == null) {
        LOG.warn(
            "deleting a snapshot that cannot be read [repository={}, snapshot={}]",
            repository.name(),
            name,
            found.damage());
        ClusterState _ =
            metadata.update(
                "delete a snapshot that cannot be read [" + name + "]",
                state -> RepositoryUse.requireNotLent(state, repository, name));
        repository.remove(name);
        return;
      }
      running.begin(manifest.uuid(), RunningSnapshots.Work.DELETION, 0);
      try {
        Optional<Version> marked = mark(repository, manifest, found.version());
        if (marked.isPresent()) {
          finishOrTakeBack(repository, manifest, marked.get());
          return;
        }
      } finally {
        running.end(manifest.uuid());
      }
    }
  }

  /// Deletes the blobs that no snapshot of a repository has.
  ///
  /// @return lengths of the blobs that were deleted
  List<Long> clean(SnapshotRepository repository) throws IOException {
    Cleaning who =
        new Cleaning(metadata.current().clusterUuid(), running.node(), world.ids().uuid());
    running.begin(who.uuid(), RunningSnapshots.Work.CLEANUP, 0);
    try {
      return repository.clean(who);
    } catch (IOException e) {
      running.leftBehind(); // it may say still that it is being cleaned up
      throw e;
    } finally {
      running.end(who.uuid());
    }
  }

  /// Empty when somebody else was faster.
  private Optional<Version> mark(
      SnapshotRepository repository, SnapshotManifest manifest, Version version)
      throws IOException {
    SnapshotManifest marked =
        new SnapshotManifest(
            manifest.name(),
            manifest.uuid(),
            SnapshotState.DELETING,
            running.node(),
            manifest.startMillis(),
            manifest.endMillis(),
            manifest.hasGlobalState(),
            AbandonedSnapshots.ofCluster(manifest.about(), metadata.current()),
            manifest.indices());
    return repository.write(marked, version);
  }

  /// Takes the mark back when an index begins with the snapshot.
  private void finishOrTakeBack(
      SnapshotRepository repository, SnapshotManifest manifest, Version marked)
      throws IOException, InterruptedException {
    try {
      finish(repository, manifest);
    } catch (IOException e) {
      running.leftBehind();
      throw e;
    } catch (Refusal e) {
      if (manifest.state().isFinished()) {
        var _ = repository.write(manifest, marked);
      }
      throw e;
    }
  }

  /// What may lie in folders that no index has any more.
  private static Map<String, String> names(SnapshotManifest manifest) {
    Map<String, String> names = new TreeMap<>();
    manifest
        .indices()
        .values()
        .forEach(index -> names.put(index.metadata().id().uuid(), index.metadata().id().name()));
    return names;
  }

  /// Takes away a snapshot that is marked, or was never finished, with what only it has.
  ///
  /// @throws Refusal when an index begins with it
  void finish(SnapshotRepository repository, SnapshotManifest manifest)
      throws IOException, InterruptedException {
    SnapshotReference reference =
        new SnapshotReference(repository.name(), manifest.name(), manifest.uuid());
    Set<String> begun = use.begun(metadata.current());
    metadata.update(
        "delete-snapshot [" + manifest.name() + "]",
        state -> {
          RepositoryUse.requireNotRestored(state, reference, begun);
          return repository.isOwn() ? DeletedIndices.again(state, names(manifest)) : state;
        });
    AbandonedSnapshots.giveUp(world.clock(), repository, manifest.name(), manifest.uuid());
    LOG.info("deleted a snapshot [repository={}, snapshot={}]", repository.name(), manifest.name());
  }
}
