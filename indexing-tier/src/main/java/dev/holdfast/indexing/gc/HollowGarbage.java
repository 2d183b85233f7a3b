package dev.holdfast.indexing.gc;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.SearchMembers;
import dev.holdfast.compoundcommit.store.BlobReferences;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.notice.SearchNodeReads;
import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Blobs that hollow shards of this node left behind (§6.1). A shard that is not open references
/// nothing but its newest commit, and whatever is committed on top of that references no older blob
/// that it does not: so what is loose stays loose, should the shard wake meanwhile.
public final class HollowGarbage {
  private static final Logger LOG = LoggerFactory.getLogger(HollowGarbage.class);

  private final BlobDeletion deletion;
  private final ObjectStore store;
  private final Metadata metadata;
  private final SearchMembers search;

  // Guarded by this, which nobody holds while the store is asked: it may refuse for long.
  private final Map<ShardId, SortedMap<BlobId, Long>> looseSinceNanos = new HashMap<>();
  private final Map<ShardId, Look> looks = new HashMap<>();

  /// One that is under way.
  private static final class Look {}

  public HollowGarbage(
      BlobDeletion deletion, ObjectStore store, Metadata metadata, SearchMembers search) {
    this.deletion = deletion;
    this.store = store;
    this.metadata = metadata;
    this.search = search;
  }

  /// Deletes what has been loose for the whole grace.
  ///
  /// @param found blobs that the sweep has seen
  /// @return how many are left that the newest commit does not need
  public int look(ShardId shard, Collection<BlobId> found) throws IOException {
    Look look = new Look();
    synchronized (this) {
      if (looks.putIfAbsent(shard, look) != null) {
        return found.size();
      }
    }
    try {
      return look(shard, found, look);
    } finally {
      synchronized (this) {
        looks.remove(shard, look);
      }
    }
  }

  private int look(ShardId shard, Collection<BlobId> found, Look look) throws IOException {
    CommitStore commits = new CommitStore(store, shard);
    UploadMark mark = UploadMarks.of(metadata.current(), shard);
    // What the newest commit needs is known only when it is the newest.
    Optional<CompoundCommit> newest =
        commits.newest(mark.isMarked() ? new BlobId(mark.primaryTerm(), mark.generation()) : null);
    Optional<SortedMap<String, InUse>> inUse = SearchNodeReads.of(metadata, search, shard);
    if (newest.isEmpty() || inUse.isEmpty()) {
      return found.size();
    }
    long nowNanos = deletion.nowNanos();
    SortedMap<BlobId, Long> before = loose(shard);
    SortedMap<BlobId, Long> loose = new TreeMap<>();
    SortedSet<BlobId> due = new TreeSet<>();
    SortedSet<BlobId> old = references(newest, new TreeMap<>()).deletable(found);
    for (BlobId blob : references(newest, inUse.get()).deletable(found)) {
      long since = before.getOrDefault(blob, nowNanos);
      if (!deletion.pins().holders(shard, blob, since).isEmpty()) {
        continue;
      }
      loose.put(blob, since);
      if (deletion.isDue(since, nowNanos)) {
        due.add(blob);
      }
    }
    if (!due.isEmpty() && deletion.delete(commits, shard, due)) {
      loose.keySet().removeAll(due);
      old.removeAll(due);
      LOG.debug("deleted blobs of a hollow shard [shard={}, blobs={}]", shard, due);
    }
    keep(shard, loose, look);
    return old.size();
  }

  private synchronized SortedMap<BlobId, Long> loose(ShardId shard) {
    return looseSinceNanos.getOrDefault(shard, new TreeMap<>());
  }

  private synchronized void keep(ShardId shard, SortedMap<BlobId, Long> loose, Look look) {
    if (look.equals(looks.get(shard)) && !loose.isEmpty()) {
      looseSinceNanos.put(shard, loose);
    } else {
      looseSinceNanos.remove(shard); // or it was forgotten meanwhile
    }
  }

  /// The shard is open here, or not here any more.
  public synchronized void forget(ShardId shard) {
    looks.remove(shard);
    looseSinceNanos.remove(shard);
  }

  public List<BlobRetention> explain(ShardId shard) throws IOException {
    CommitStore commits = new CommitStore(store, shard);
    SortedMap<BlobId, Long> there = commits.sizes();
    Optional<CompoundCommit> newest = commits.newest();
    Optional<SortedMap<String, InUse>> inUse = SearchNodeReads.of(metadata, search, shard);
    BlobReferences references = references(newest, inUse.orElseGet(TreeMap::new));
    return deletion.explain(shard, there, references, inUse.isPresent(), loose(shard));
  }

  private static BlobReferences references(
      Optional<CompoundCommit> newest, SortedMap<String, InUse> inUse) {
    return new BlobReferences(newest, List.of(), new TreeSet<>(), inUse);
  }
}
