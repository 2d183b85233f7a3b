package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.indexing.repository.Cleaning;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.snapshot.ManifestBytes;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshotState;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives up what a process that is gone has left half made or half deleted (decision 027). The
/// leader looks when it begins to lead, when a member has left, and now and then; a member looks
/// for what it has left behind itself.
public final class AbandonedSnapshots {
  private static final Logger LOG = LoggerFactory.getLogger(AbandonedSnapshots.class);
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final Duration EVERY = Duration.ofHours(1);

  /// The same after something could not be looked at, or given up; twice as long after each time.
  private static final Duration SOON = Duration.ofMinutes(1);

  /// Up to half an hour: another store may be away for long.
  private static final int DOUBLINGS_MAX = 6;

  private static final int LIST_MAX = 1000;

  /// Of what a manifest says beside its indices.
  private static final String CLUSTER = "cluster";

  private final World world;
  private final Metadata metadata;
  private final RepositoryStores stores;
  private final ObjectStore own;
  private final RunningSnapshots running;
  private final SnapshotDeletion deletion;

  // Of one task alone.
  private Set<String> members = Set.of();
  private boolean hasLooked;
  private long lookedNanos;
  private Duration pause = EVERY;
  private int failures;

  /// This node may have left something behind that is still there.
  private boolean isOwing;

  AbandonedSnapshots(
      World world,
      Metadata metadata,
      RepositoryStores stores,
      ObjectStore own,
      RunningSnapshots running,
      SnapshotDeletion deletion) {
    this.world = world;
    this.metadata = metadata;
    this.stores = stores;
    this.own = own;
    this.running = running;
    this.deletion = deletion;
  }

  /// Looks after them from now on.
  public void start() {
    var _ = world.tasks().repeat("abandoned-snapshots", LOOK, this::lookWhenDue);
  }

  void lookWhenDue() throws InterruptedException {
    ClusterState state = metadata.current();
    if (!metadata.leaderId().equals(running.node())) {
      hasLooked = false;
      lookAtOwnWhenDue();
      return;
    }
    Set<String> now = new HashSet<>(state.members().keySet());
    boolean hasLost = !now.containsAll(members);
    long sinceNanos = world.clock().nanoTime() - lookedNanos;
    if (running.takeLeft()) {
      isOwing = true; // also when it does not lead any more by then
      pause = SOON;
    }
    if (!hasLooked || hasLost || sinceNanos >= pause.toNanos()) {
      try {
        failures = look(false) ? 0 : Math.min(failures + 1, DOUBLINGS_MAX);
        isOwing &= failures > 0;
        pause = failures == 0 ? EVERY : SOON.multipliedBy(1L << (failures - 1));
        hasLooked = true;
        lookedNanos = world.clock().nanoTime();
        members = now;
      } catch (IOException | Refusal e) {
        LOG.warn("looking for snapshots that were left behind failed, will be tried again", e);
      }
      return;
    }
    members = now;
  }

  /// As long as this node lives nobody else knows that it does not go on with something.
  private void lookAtOwnWhenDue() throws InterruptedException {
    long nowNanos = world.clock().nanoTime();
    if (running.takeLeft()) {
      isOwing = true;
      failures = 0;
      pause = SOON;
      lookedNanos = nowNanos;
    }
    if (!isOwing || nowNanos - lookedNanos < pause.toNanos()) {
      return;
    }
    lookedNanos = nowNanos;
    try {
      isOwing = !look(true);
    } catch (IOException | Refusal e) {
      LOG.warn("looking for what was left behind here failed, will be tried again", e);
    }
    failures = isOwing ? Math.min(failures + 1, DOUBLINGS_MAX) : 0;
    pause = SOON.multipliedBy(1L << Math.max(0, failures - 1));
  }

  /// Looks at every repository that may be written.
  ///
  /// @param onlyOwn for what this node has left behind, and nobody else
  /// @return whether all could be looked at
  boolean look(boolean onlyOwn) throws IOException, InterruptedException {
    boolean isAll = true;
    for (Repository repository : Repositories.all(metadata.current()).values()) {
      if (!repository.isReadOnly()) {
        try {
          look(stores.open(repository), onlyOwn);
        } catch (IOException | Refusal e) {
          // Another store may be away for long: it keeps nothing of this cluster.
          LOG.warn("a repository cannot be looked at [repository={}]", repository.name(), e);
          isAll = false;
        }
      }
    }
    for (Listed held : own.list(BlobCopies.HELD, "", LIST_MAX)) {
      try {
        Optional<StoredObject> object = own.get(held.key());
        if (object.isPresent() && isLeft(held.key(), object.get().bytes(), onlyOwn)) {
          own.deleteAll(List.of(held.key()));
        }
      } catch (IOException e) {
        // What is wrong with one of them, as with an archived one, may be so for long.
        LOG.warn("a pin cannot be looked at [pin={}]", held.key(), e);
        isAll = false;
      }
    }
    return isAll;
  }

  private void look(SnapshotRepository repository, boolean onlyOwn)
      throws IOException, InterruptedException {
    Optional<Cleaning> cleaning = repository.cleaning();
    if (cleaning.isPresent()
        && (cleaning.get().cluster().isEmpty()
            || cleaning.get().cluster().equals(metadata.current().clusterUuid()))
        && isGone(cleaning.get().node(), cleaning.get().uuid(), onlyOwn)) {
      repository.endCleaning();
    }
    for (Found found : repository.all()) {
      SnapshotManifest manifest = found.manifest();
      if (manifest != null && !manifest.state().isFinished() && isLeft(manifest, onlyOwn)) {
        deletion.finish(repository, manifest);
        LOG.info(
            "gave up a snapshot that was left behind [repository={}, snapshot={}, node={}]",
            repository.name(),
            manifest.name(),
            manifest.node());
      }
    }
  }

  /// Who knows whom a damaged one is of? It stays, and the health report tells of it.
  private boolean isLeft(String key, byte[] bytes, boolean onlyOwn) {
    try {
      return isLeft(ManifestBytes.read(key, bytes), onlyOwn);
    } catch (IOException e) {
      LOG.warn("a pin cannot be read [pin={}]", key, e);
      return false;
    }
  }

  /// Whether nobody makes or deletes it any more. Who of another cluster does is not known here.
  private boolean isLeft(SnapshotManifest manifest, boolean onlyOwn) {
    String cluster = manifest.about().path(CLUSTER).asText("");
    boolean isOurs = cluster.isEmpty() || cluster.equals(metadata.current().clusterUuid());
    return isOurs && isGone(manifest.node(), manifest.uuid(), onlyOwn);
  }

  /// @param uuid of what that node is doing
  private boolean isGone(String node, String uuid, boolean onlyOwn) {
    return node.equals(running.node())
        ? !running.contains(uuid)
        : !onlyOwn && !metadata.current().members().containsKey(node);
  }

  /// What a manifest says beside its indices, with the cluster that makes or deletes it.
  static ObjectNode ofCluster(ObjectNode about, ClusterState state) {
    return about.deepCopy().put(CLUSTER, state.clusterUuid());
  }

  /// Makes sure that a snapshot that is not finished never will be, and takes it away where nothing
  /// but its own object is to be deleted.
  static void giveUp(Clock clock, SnapshotRepository repository, String name, String uuid)
      throws IOException {
    while (true) {
      Found found = repository.find(name).orElse(null);
      SnapshotManifest manifest = found == null ? null : found.manifest();
      if (found == null
          || manifest == null
          || !manifest.uuid().equals(uuid)
          || manifest.state().isFinished()) {
        return;
      }
      boolean isMine =
          manifest.state() == SnapshotState.DELETING
              || repository
                  .write(manifest.in(SnapshotState.DELETING, clock.epochMillis()), found.version())
                  .isPresent();
      if (isMine) {
        if (repository.isOwn()) {
          repository.remove(name);
        } else {
          repository.removeBlobs(manifest);
          repository.remove(name);
        }
        return;
      }
    }
  }
}
