package dev.holdfast.indexing.gc;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.store.BlobReferences;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.notice.SearchNodeReads;
import java.io.IOException;
import java.util.ArrayList;
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

  private final NodeParts node;
  private final Map<ShardId, SortedMap<BlobId, Long>> looseSinceNanos = new HashMap<>();

  public HollowGarbage(NodeParts node) {
    this.node = node;
  }

  /// Deletes what has been loose for the whole grace.
  ///
  /// @param found blobs that the sweep has seen
  /// @return how many are left that the newest commit does not need
  public synchronized int look(ShardId shard, Collection<BlobId> found) throws IOException {
    CommitStore commits = new CommitStore(node.store(), shard);
    UploadMark mark = UploadMarks.of(node.metadata().current(), shard);
    // What the newest commit needs is known only when it is the newest.
    Optional<CompoundCommit> newest =
        commits.newest(mark.isMarked() ? new BlobId(mark.primaryTerm(), mark.generation()) : null);
    Optional<SortedMap<String, InUse>> inUse =
        SearchNodeReads.of(node.metadata(), node.search(), shard);
    if (newest.isEmpty() || inUse.isEmpty()) {
      return found.size();
    }
    long nowNanos = node.world().clock().nanoTime();
    SortedMap<BlobId, Long> before = looseSinceNanos.getOrDefault(shard, new TreeMap<>());
    SortedMap<BlobId, Long> loose = new TreeMap<>();
    SortedSet<BlobId> due = new TreeSet<>();
    SortedSet<BlobId> old = references(newest, new TreeMap<>()).deletable(found);
    for (BlobId blob : references(newest, inUse.get()).deletable(found)) {
      long since = before.getOrDefault(blob, nowNanos);
      if (!node.pins().holders(shard, blob, since).isEmpty()) {
        continue;
      }
      loose.put(blob, since);
      if (nowNanos - since >= node.config().deletionGrace().toNanos()) {
        due.add(blob);
      }
    }
    if (!due.isEmpty() && node.ownership().isStillMember()) {
      commits.delete(due);
      due.forEach(blob -> node.inputs().drop(blob.key(shard)));
      loose.keySet().removeAll(due);
      old.removeAll(due);
      LOG.debug("deleted blobs of a hollow shard [shard={}, blobs={}]", shard, due);
    }
    if (loose.isEmpty()) {
      looseSinceNanos.remove(shard);
    } else {
      looseSinceNanos.put(shard, loose);
    }
    return old.size();
  }

  /// The shard is open here, or not here any more.
  public synchronized void forget(ShardId shard) {
    looseSinceNanos.remove(shard);
  }

  public List<BlobRetention> explain(ShardId shard) throws IOException {
    CommitStore commits = new CommitStore(node.store(), shard);
    SortedMap<BlobId, Long> there = commits.sizes();
    Optional<CompoundCommit> newest = commits.newest();
    Optional<SortedMap<String, InUse>> inUse =
        SearchNodeReads.of(node.metadata(), node.search(), shard);
    BlobReferences references = references(newest, inUse.orElseGet(TreeMap::new));
    long nowNanos = node.world().clock().nanoTime();
    List<BlobRetention> fates = new ArrayList<>();
    for (Map.Entry<BlobId, Long> blob : there.entrySet()) {
      List<String> holders = new ArrayList<>(references.holders(blob.getKey()));
      for (String pin : node.pins().holders(shard, blob.getKey(), nowNanos)) {
        holders.add("pin " + pin);
      }
      if (inUse.isEmpty()) {
        holders.add("a search node that does not answer may read it");
      }
      Long since;
      synchronized (this) {
        since = looseSinceNanos.getOrDefault(shard, new TreeMap<>()).get(blob.getKey());
      }
      fates.add(StoredBlobs.fate(node, blob.getKey(), blob.getValue(), holders, since));
    }
    return fates;
  }

  private static BlobReferences references(
      Optional<CompoundCommit> newest, SortedMap<String, InUse> inUse) {
    return new BlobReferences(newest, List.of(), new TreeSet<>(), inUse);
  }
}
