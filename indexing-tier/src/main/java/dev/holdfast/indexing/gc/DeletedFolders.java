package dev.holdfast.indexing.gc;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Blobs of shards whose index was deleted: they go after the grace, all of a shard at once (§6.1).
public final class DeletedFolders {
  private static final Logger LOG = LoggerFactory.getLogger(DeletedFolders.class);

  private final BlobDeletion deletion;
  private final ObjectStore store;
  private final Metadata metadata;
  private final Deque<Folder> folders = new ArrayDeque<>();

  private record Folder(ShardId shard, long sinceNanos) {}

  public DeletedFolders(BlobDeletion deletion, ObjectStore store, Metadata metadata) {
    this.deletion = deletion;
    this.store = store;
    this.metadata = metadata;
  }

  public synchronized void add(ShardId shard) {
    folders.add(new Folder(shard, deletion.nowNanos()));
  }

  private boolean isDue(Folder folder) {
    return deletion.isDue(folder.sinceNanos, deletion.nowNanos());
  }

  /// Deletes what is due, if the lease still names this node. A folder that can't be deleted keeps
  /// no other: it is due again when another grace is over.
  public void delete() {
    List<Folder> due = new ArrayList<>();
    synchronized (this) {
      while (!folders.isEmpty() && isDue(folders.getFirst())) {
        due.add(folders.removeFirst());
      }
    }
    for (Folder folder : due) {
      try {
        if (!delete(folder)) {
          return;
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn(
            "the blobs of a deleted index could not be deleted, will be tried again [shard={},"
                + " why={}]",
            folder.shard,
            e.toString());
        LOG.debug("the blobs of a deleted index could not be deleted [{}]", folder.shard, e);
        add(folder.shard);
      }
    }
  }

  /// Returns false when this node is no member any more.
  private boolean delete(Folder folder) throws IOException {
    ShardId shard = folder.shard;
    if (InheritingIndices.haveToCopy(store, metadata.current(), shard)) {
      add(shard); // looked at again when another grace is over
      return true;
    }
    CommitStore commits = new CommitStore(store, shard);
    List<BlobId> blobs = commits.list();
    // As they are now: who pins something of an index that is being deleted does so within the
    // grace.
    SortedSet<BlobId> pinned = deletion.pins().lasting(shard, blobs, deletion.nowNanos());
    blobs.removeAll(pinned);
    if (!deletion.delete(commits, shard, blobs)) {
      return false;
    }
    LOG.info(
        "deleted the blobs of a deleted index, the sweep will see to those that are pinned"
            + " [shard={}, blobs={}, pinned={}]",
        shard,
        blobs.size(),
        pinned.size());
    return true;
  }
}
