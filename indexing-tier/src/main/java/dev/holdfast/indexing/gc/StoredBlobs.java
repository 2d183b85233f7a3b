package dev.holdfast.indexing.gc;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.store.BlobReferences;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.notice.ShardNotices;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The blobs of a shard in the store and since when nothing holds them (§6.1). A blob is deleted
/// when it was held by nothing for the whole grace, and the lease, read after the last look, still
/// names this node.
public final class StoredBlobs {
  private static final Logger LOG = LoggerFactory.getLogger(StoredBlobs.class);

  private final BlobDeletion deletion;
  private final ShardEngine engine;
  private final Supplier<List<CompoundCommit>> notUploaded;
  private final ShardNotices notices;
  private final CommitStore commits;

  // Guarded by this, which nobody holds while the store is asked: it may be slow, or refuse for
  // long.
  private @Nullable SortedSet<BlobId> stored;

  /// Uploaded before the blobs were listed.
  private final SortedSet<BlobId> notListed = new TreeSet<>();

  private @Nullable CompoundCommit newestUploaded;
  private @Nullable BlobId newestBlob;
  private SortedMap<BlobId, Long> looseSinceNanos = new TreeMap<>();
  private boolean hasChanged = true;

  /// @param notUploaded commits that are not in the store yet
  public StoredBlobs(
      BlobDeletion deletion,
      ShardEngine engine,
      Supplier<List<CompoundCommit>> notUploaded,
      ShardNotices notices,
      CommitStore commits) {
    this.deletion = deletion;
    this.engine = engine;
    this.notUploaded = notUploaded;
    this.notices = notices;
    this.commits = commits;
  }

  public synchronized void uploaded(BlobId blob, CompoundCommit newest) {
    newestUploaded = newest;
    newestBlob = blob;
    (stored == null ? notListed : stored).add(blob);
    hasChanged = true;
  }

  /// Somebody may have let go of a blob.
  public synchronized void changed() {
    hasChanged = true;
  }

  /// Whether some stored blob is needed by no new reader and waits only for old ones.
  public synchronized boolean holdsOld() {
    return stored != null
        && newestUploaded != null
        && stored.size() > newestUploaded.blobs().size();
  }

  /// Whether [#collect] may find something to do.
  public synchronized boolean isWorthALook(long nowNanos) {
    return newestUploaded != null && (hasChanged || isDue(nowNanos));
  }

  /// Looks who holds what and deletes what was loose for long enough; cheap when nothing happened.
  public void collect() throws IOException {
    long nowNanos = deletion.nowNanos();
    if (!isListed()) {
      listed(commits.list()); // with what an earlier owner left behind
    }
    SortedSet<BlobId> due = due(nowNanos);
    if (due.isEmpty() || !engine.isOpen()) {
      return;
    }
    boolean isAnswered = notices.askAll();
    synchronized (this) {
      hasChanged |= !isAnswered;
      CompoundCommit newest = newestUploaded;
      if (!isAnswered || newest == null) {
        return;
      }
      due.retainAll(references(newest).deletable(due));
    }
    keepPinned(due, nowNanos);
    ShardId shard = engine.shard;
    if (due.isEmpty() || !deletion.delete(commits, shard, due)) {
      return;
    }
    forget(due);
    LOG.debug("deleted blobs that nothing holds [shard={}, blobs={}]", shard, due);
  }

  private synchronized boolean isListed() {
    return newestUploaded == null || stored != null;
  }

  private synchronized void listed(List<BlobId> found) {
    SortedSet<BlobId> all = new TreeSet<>(found);
    all.addAll(notListed);
    notListed.clear();
    stored = all;
  }

  /// A pinned blob is looked at again when another grace is over.
  private void keepPinned(SortedSet<BlobId> due, long nowNanos) throws IOException {
    for (BlobId blob : List.copyOf(due)) {
      if (!deletion.pins().holders(engine.shard, blob, looseSince(blob, nowNanos)).isEmpty()) {
        due.remove(blob);
        isLooseSince(blob, nowNanos);
      }
    }
  }

  private synchronized long looseSince(BlobId blob, long otherwiseNanos) {
    return looseSinceNanos.getOrDefault(blob, otherwiseNanos);
  }

  private synchronized void isLooseSince(BlobId blob, long nanos) {
    looseSinceNanos.put(blob, nanos);
  }

  /// The sweep saw these: what an earlier owner uploaded late, or what should be gone, is taken
  /// note of.
  public synchronized void found(Collection<BlobId> seen) {
    if (stored != null) { // else they will be listed
      hasChanged |= stored.addAll(seen);
    }
  }

  /// Of the newest commit in the store; -1 for none that this owner uploaded.
  public synchronized long uploadedGeneration() {
    return newestUploaded == null ? -1 : newestUploaded.generation();
  }

  /// The newest that this owner uploaded; null for none.
  public synchronized @Nullable BlobId newestBlob() {
    return newestBlob;
  }

  /// Why each blob is still there.
  public List<BlobRetention> explain() throws IOException {
    SortedMap<BlobId, Long> there = commits.sizes();
    boolean isAnswered = notices.askAll();
    BlobReferences references;
    SortedMap<BlobId, Long> looseSince;
    synchronized (this) {
      hasChanged = true; // what was just heard is worth another look
      references = references(Optional.ofNullable(newestUploaded));
      looseSince = new TreeMap<>(looseSinceNanos);
    }
    return deletion.explain(engine.shard, there, references, isAnswered, looseSince);
  }

  private synchronized SortedSet<BlobId> due(long nowNanos) {
    SortedSet<BlobId> due = new TreeSet<>();
    if (newestUploaded == null || stored == null || (!hasChanged && !isDue(nowNanos))) {
      return due;
    }
    hasChanged = false;
    SortedMap<BlobId, Long> loose = new TreeMap<>();
    for (BlobId blob : references(newestUploaded).deletable(stored)) {
      Long since = looseSinceNanos.getOrDefault(blob, nowNanos);
      loose.put(blob, since);
      if (deletion.isDue(since, nowNanos)) {
        due.add(blob);
      }
    }
    looseSinceNanos = loose;
    return due;
  }

  private boolean isDue(long nowNanos) {
    return looseSinceNanos.values().stream().anyMatch(since -> deletion.isDue(since, nowNanos));
  }

  private BlobReferences references(CompoundCommit newest) {
    return references(Optional.of(newest));
  }

  private BlobReferences references(Optional<CompoundCommit> newest) {
    return new BlobReferences(
        newest, notUploaded.get(), engine.directory.referencedBlobs(), notices.inUse());
  }

  private synchronized void forget(SortedSet<BlobId> deleted) {
    if (stored != null) {
      stored.removeAll(deleted);
    }
    looseSinceNanos.keySet().removeAll(deleted);
  }
}
