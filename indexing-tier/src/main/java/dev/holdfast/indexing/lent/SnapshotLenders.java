package dev.holdfast.indexing.lent;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.lent.Lenders;
import dev.holdfast.world.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which blobs of snapshots are read in place of copies that restored shards begin with. The state
/// says which shards are lent, the manifest of their snapshot which blobs those are: one GET for an
/// index and process.
public final class SnapshotLenders implements Lenders {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotLenders.class);

  /// For so long a manifest that was damaged or gone is not read again, however many reads ask for
  /// it.
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final ObjectStore store;
  private final Clock clock;
  private volatile @Nullable Metadata metadata;
  private volatile @Nullable Lent lent;

  /// By uuid of the index: what is read, by the key of the copy.
  private final ConcurrentHashMap<String, Map<String, String>> keys = new ConcurrentHashMap<>();

  /// By uuid of the index: when its manifest was looked for in vain.
  private final ConcurrentHashMap<String, Long> inVainNanos = new ConcurrentHashMap<>();

  /// @param indices of a state that have lent shards, by uuid
  private record Lent(ClusterState of, Map<String, IndexMetadata> indices) {}

  /// @param store the cluster's own, in which nothing is lent
  public SnapshotLenders(ObjectStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /// Nothing is lent before somebody says whose state it is.
  public void follow(Metadata states) {
    metadata = states;
  }

  @Override
  public Optional<String> of(String key) throws StoreException {
    Metadata states = metadata;
    if (states == null || !BlobId.isInheritedKey(key)) {
      return Optional.empty();
    }
    Map<String, IndexMetadata> indices = lent(states.current());
    if (indices.isEmpty()) {
      return Optional.empty();
    }
    String[] parts = key.split("/", 5); // shards/<prefix>/<uuid>/<number>/…
    IndexMetadata index = indices.get(parts[2]);
    LentBlobs lends = index == null ? null : LentBlobs.of(index);
    if (index == null || lends == null || !lends.shards().contains(Integer.valueOf(parts[3]))) {
      return Optional.empty();
    }
    return Optional.ofNullable(keys(index, lends).get(key));
  }

  @SuppressWarnings("ReferenceEquality") // a state is one object
  private Map<String, IndexMetadata> lent(ClusterState state) {
    Lent known = lent;
    if (known != null && known.of == state) {
      return known.indices;
    }
    Map<String, IndexMetadata> found = new HashMap<>();
    for (IndexMetadata index : state.indices().values()) {
      if (LentBlobs.of(index) != null) {
        found.put(index.id().uuid(), index);
      }
    }
    keys.keySet().retainAll(found.keySet());
    inVainNanos.keySet().retainAll(found.keySet());
    lent = new Lent(state, found);
    return found;
  }

  private Map<String, String> keys(IndexMetadata index, LentBlobs lends) throws StoreException {
    String uuid = index.id().uuid();
    Map<String, String> known = keys.get(uuid);
    if (known != null) {
      return known;
    }
    Long inVain = inVainNanos.get(uuid);
    if (inVain != null && clock.nanoTime() - inVain < LOOK_AGAIN.toNanos()) {
      return Map.of();
    }
    try {
      LentManifest manifest = LentManifest.read(store, index, lends).orElse(null);
      if (manifest == null) {
        inVainNanos.put(uuid, clock.nanoTime());
        return Map.of(); // all copies are there, and this node does not know it yet
      }
      Map<String, String> made = new HashMap<>();
      for (int number = 0; number < index.shards(); number++) {
        ShardId copies = new ShardId(index.id(), number);
        ShardId source = manifest.source(number);
        for (BlobId blob : manifest.blobs(number)) {
          made.put(BlobId.inherited(source, blob).key(copies), blob.key(source));
        }
      }
      keys.put(uuid, made);
      inVainNanos.remove(uuid);
      return made;
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      inVainNanos.put(uuid, clock.nanoTime());
      LOG.warn("a snapshot cannot be read that lends its blobs [index={}]", index.id(), e);
      return Map.of();
    }
  }
}
