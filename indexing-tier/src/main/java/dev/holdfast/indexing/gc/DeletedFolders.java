package dev.holdfast.indexing.gc;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.node.NodeParts;
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

  private final NodeParts node;
  private final Deque<Folder> folders = new ArrayDeque<>();

  private record Folder(ShardId shard, long sinceNanos) {}

  public DeletedFolders(NodeParts node) {
    this.node = node;
  }

  public synchronized void add(ShardId shard) {
    folders.add(new Folder(shard, node.world().clock().nanoTime()));
  }

  private boolean isDue(Folder folder) {
    return node.world().clock().nanoTime() - folder.sinceNanos
        >= node.config().deletionGrace().toNanos();
  }

  /// Deletes what is due, if the lease still names this node.
  public void delete() throws IOException {
    List<Folder> due = new ArrayList<>();
    synchronized (this) {
      while (!folders.isEmpty() && isDue(folders.getFirst())) {
        due.add(folders.removeFirst());
      }
    }
    for (int i = 0; i < due.size(); i++) {
      try {
        if (!delete(due.get(i))) {
          return;
        }
      } catch (IOException e) {
        synchronized (this) {
          due.subList(i, due.size()).forEach(folders::addFirst);
        }
        throw e;
      }
    }
  }

  /// Returns false when this node is no member any more.
  private boolean delete(Folder folder) throws IOException {
    ShardId shard = folder.shard;
    if (InheritingIndices.haveToCopy(node.store(), node.metadata().current(), shard)) {
      add(shard); // looked at again when another grace is over
      return true;
    }
    CommitStore commits = new CommitStore(node.store(), shard);
    List<BlobId> blobs = commits.list();
    // As they are now: who pins something of an index that is being deleted does so within the
    // grace.
    SortedSet<BlobId> pinned = node.pins().lasting(shard, blobs, node.world().clock().nanoTime());
    blobs.removeAll(pinned);
    if (!node.ownership().isStillMember()) {
      return false;
    }
    commits.delete(blobs);
    blobs.forEach(blob -> node.inputs().drop(blob.key(shard)));
    LOG.info(
        "deleted the blobs of a deleted index, the sweep will see to those that are pinned"
            + " [shard={}, blobs={}, pinned={}]",
        shard,
        blobs.size(),
        pinned.size());
    return true;
  }
}
