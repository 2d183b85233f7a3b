package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.BlobReferences;
import dev.holdfast.compoundcommit.CommitStore;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.InUse;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The blobs of a shard in the store and since when nothing holds them (§6.1). A blob is deleted
/// when it was held by nothing for the whole grace, and the lease, read after the last look, still
/// names this node.
final class StoredBlobs {
  private static final Logger LOG = LoggerFactory.getLogger(StoredBlobs.class);

  /// The one search copy of this process.
  private static final String SEARCH_NODE = "local";

  private final NodeParts node;
  private final ShardEngine engine;
  private final Batches batches;
  private final ShardNotices notices;
  private final CommitStore commits;

  // Guarded by this.
  private @Nullable SortedSet<BlobId> stored;
  private @Nullable CompoundCommit newestUploaded;
  private SortedMap<BlobId, Long> looseSinceNanos = new TreeMap<>();
  private boolean hasChanged = true;

  StoredBlobs(
      NodeParts node,
      ShardEngine engine,
      Batches batches,
      ShardNotices notices,
      CommitStore commits) {
    this.node = node;
    this.engine = engine;
    this.batches = batches;
    this.notices = notices;
    this.commits = commits;
  }

  synchronized void uploaded(BlobId blob, CompoundCommit newest) {
    newestUploaded = newest;
    if (stored != null) {
      stored.add(blob);
    }
    hasChanged = true;
  }

  /// Somebody may have let go of a blob.
  synchronized void changed() {
    hasChanged = true;
  }

  /// Whether some stored blob is needed by no new reader and waits only for old ones.
  synchronized boolean holdsOld() {
    return stored != null
        && newestUploaded != null
        && stored.size() > newestUploaded.blobs().size();
  }

  /// Whether [#collect] may find something to do.
  synchronized boolean isWorthALook(long nowNanos) {
    return newestUploaded != null && (hasChanged || isDue(nowNanos));
  }

  /// Looks who holds what and deletes what was loose for long enough; cheap when nothing happened.
  void collect() throws IOException {
    long nowNanos = node.world().clock().nanoTime();
    SortedSet<BlobId> due = due(nowNanos);
    if (due.isEmpty() || !engine.isOpen() || !node.ownership().isStillMember()) {
      return;
    }
    commits.delete(due);
    for (BlobId blob : due) {
      node.inputs().drop(blob.key(engine.shard));
    }
    forget(due);
    ShardId shard = engine.shard;
    LOG.debug("deleted blobs that nothing holds [shard={}, blobs={}]", shard, due);
  }

  private synchronized SortedSet<BlobId> due(long nowNanos) throws IOException {
    SortedSet<BlobId> due = new TreeSet<>();
    if (newestUploaded == null || (!hasChanged && !isDue(nowNanos))) {
      return due;
    }
    hasChanged = false;
    if (stored == null) {
      stored = new TreeSet<>(commits.list()); // with what an earlier owner left behind
    }
    SortedMap<BlobId, Long> loose = new TreeMap<>();
    for (BlobId blob : references(newestUploaded).deletable(stored)) {
      Long since = looseSinceNanos.getOrDefault(blob, nowNanos);
      loose.put(blob, since);
      if (nowNanos - since >= node.config().deletionGrace().toNanos()) {
        due.add(blob);
      }
    }
    looseSinceNanos = loose;
    return due;
  }

  private boolean isDue(long nowNanos) {
    long graceNanos = node.config().deletionGrace().toNanos();
    return looseSinceNanos.values().stream().anyMatch(since -> nowNanos - since >= graceNanos);
  }

  private BlobReferences references(CompoundCommit newest) {
    SortedMap<String, InUse> inUse = new TreeMap<>();
    inUse.put(SEARCH_NODE, notices.inUse());
    return new BlobReferences(
        Optional.of(newest), batches.notUploaded(), engine.directory.referencedBlobs(), inUse);
  }

  private synchronized void forget(SortedSet<BlobId> deleted) {
    if (stored != null) {
      stored.removeAll(deleted);
    }
    looseSinceNanos.keySet().removeAll(deleted);
  }
}
