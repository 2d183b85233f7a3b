package dev.holdfast.api.snapshot;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.repository.StoredBody;
import dev.holdfast.indexing.snapshot.ManifestBytes;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshotState;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Copies what a snapshot has to a repository in another store (decision 027). Meanwhile a pin in
/// the cluster's own store holds what is copied.
///
/// @param own the cluster's own store
record BlobCopies(World world, ObjectStore own) {
  private static final Logger LOG = LoggerFactory.getLogger(BlobCopies.class);

  /// Where snapshots pin what is being copied for them: no repository has that name.
  static final String HELD = SnapshotRepository.OWN_FOLDER + "~copies/";

  private static final int COPIES_AT_ONCE = 4;
  private static final Duration DELETER_MAX = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(500);

  /// Pins in the cluster's own store what is named.
  void hold(SnapshotManifest manifest) throws IOException {
    var _ = own.put(HELD + manifest.uuid(), ObjectBody.of(ManifestBytes.write(manifest)));
  }

  /// Nothing is copied any more.
  void end(SnapshotManifest manifest) {
    try {
      own.deleteAll(List.of(HELD + manifest.uuid()));
    } catch (IOException e) {
      LOG.warn("a pin is left behind until this node is gone [pin={}]", manifest.uuid(), e);
    }
  }

  /// Copies what no other snapshot of the repository has.
  ///
  /// @param manifest as it is written there: it names everything that is copied
  /// @return with a failure for each shard that could not be copied
  SnapshotManifest copy(
      SnapshotRepository repository,
      SnapshotManifest manifest,
      Map<ShardId, SortedSet<BlobId>> ignored)
      throws IOException, InterruptedException {
    Set<String> there = awaitDeleters(repository, manifest.uuid());
    SortedMap<String, SnapshottedIndex> indices = new TreeMap<>();
    for (Map.Entry<String, SnapshottedIndex> one : manifest.indices().entrySet()) {
      List<SnapshottedShard> shards = new ArrayList<>();
      for (int number = 0; number < one.getValue().shards().size(); number++) {
        ShardId shard = new ShardId(one.getValue().metadata().id(), number);
        shards.add(copied(repository, shard, one.getValue().shards().get(number), there));
      }
      indices.put(one.getKey(), new SnapshottedIndex(one.getValue().metadata(), shards));
    }
    return manifest.with(indices);
  }

  /// Keys of the blobs that finished snapshots have, when nobody is deleting any.
  private Set<String> awaitDeleters(SnapshotRepository repository, String own)
      throws IOException, InterruptedException {
    Map<String, Set<String>> found = new HashMap<>();
    Set<String> deleting = new TreeSet<>();
    boolean isQuiet =
        Await.until(
            world,
            DELETER_MAX,
            LOOK,
            () -> {
              Set<String> keys = new HashSet<>();
              deleting.clear();
              repository
                  .cleaning()
                  .ifPresent(who -> deleting.add("_cleanup " + repository.whose(who)));
              for (Found one : repository.all()) {
                SnapshotManifest manifest = one.manifest();
                if (manifest == null) {
                  continue; // whoever deletes it deletes none of its blobs
                }
                if (manifest.state() == SnapshotState.DELETING) {
                  deleting.add("[" + manifest.name() + "]");
                }
                if (manifest.state().isFinished() && !manifest.uuid().equals(own)) {
                  keys.addAll(repository.blobKeys(manifest));
                }
              }
              found.put("keys", keys);
              return deleting.isEmpty();
            });
    if (!isQuiet) {
      throw new Refusal(
          ErrorType.CONCURRENT_SNAPSHOT,
          "["
              + repository.name()
              + "] cannot snapshot while a snapshot deletion is in-progress in the repository: "
              + String.join(", ", deleting));
    }
    return found.getOrDefault("keys", Set.of());
  }

  private SnapshottedShard copied(
      SnapshotRepository repository, ShardId shard, SnapshottedShard taken, Set<String> there)
      throws InterruptedException {
    long startNanos = world.clock().nanoTime();
    try {
      SortedMap<BlobId, Long> sizes =
          taken.blobs().isEmpty() ? new TreeMap<>() : new CommitStore(own, shard).sizes();
      List<Callable<Boolean>> pieces = new ArrayList<>();
      boolean isNew =
          taken.blobs().stream().noneMatch(blob -> there.contains(repository.blobKey(shard, blob)));
      SortedMap<BlobId, Long> kept =
          isNew ? new TreeMap<>() : repository.blobLengths(shard, taken.blobs());
      for (BlobId blob : taken.blobs()) {
        String to = repository.blobKey(shard, blob);
        Long length = sizes.get(blob);
        if (there.contains(to) && kept.containsKey(blob) && kept.get(blob).equals(length)) {
          continue; // what was removed or cut short by hand is copied again
        }
        if (length == null) {
          throw new IOException("a blob is gone [blob=" + blob.key(shard) + "]");
        }
        pieces.add(() -> {
          var _ = repository.store().put(to, StoredBody.of(own, blob.key(shard), length));
          return true;
        });
      }
      var _ = FanOut.of(world, "snapshot-copy").atOnce(COPIES_AT_ONCE).all(pieces);
      return taken.lasted((world.clock().nanoTime() - startNanos) / 1_000_000);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return SnapshottedShard.failed(taken.startMillis(), ShardTaking.why(e));
    }
  }
}
