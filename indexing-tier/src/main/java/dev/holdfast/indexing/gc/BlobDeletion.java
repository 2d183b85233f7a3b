package dev.holdfast.indexing.gc;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.BlobReferences;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.pin.BlobPins;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// How this node deletes blobs (§6.1): after nothing held them for a grace, and only while the
/// lease still names it.
///
/// @param grace for how long nothing must have held a blob
/// @param pins what others hold
/// @param inputs where deleted blobs are forgotten
public record BlobDeletion(
    World world, Duration grace, Ownership ownership, BlobPins pins, BlobInputs inputs) {
  public static BlobDeletion of(NodeParts node) {
    return new BlobDeletion(
        node.world(),
        node.config().deletionGrace(),
        node.cluster().ownership(),
        node.storage().pins(),
        node.storage().inputs());
  }

  long nowNanos() {
    return world.clock().nanoTime();
  }

  /// Whether what nothing has held since then may go.
  boolean isDue(long sinceNanos, long nowNanos) {
    return nowNanos - sinceNanos >= grace.toNanos();
  }

  /// @return false when this node is no member any more; nothing is deleted then
  boolean delete(CommitStore commits, ShardId shard, Collection<BlobId> blobs) throws IOException {
    if (!ownership.isStillMember()) {
      return false;
    }
    commits.delete(blobs);
    blobs.forEach(blob -> inputs.drop(blob.key(shard)));
    return true;
  }

  /// Why each blob is still there.
  ///
  /// @param there what is in the store, with its bytes
  /// @param isAnswered whether every search node has said what it reads
  /// @param looseSince since when nobody was found to hold a blob
  List<BlobRetention> explain(
      ShardId shard,
      SortedMap<BlobId, Long> there,
      BlobReferences references,
      boolean isAnswered,
      SortedMap<BlobId, Long> looseSince)
      throws IOException {
    long nowNanos = nowNanos();
    List<BlobRetention> fates = new ArrayList<>();
    for (Map.Entry<BlobId, Long> blob : there.entrySet()) {
      List<String> holders = new ArrayList<>(references.holders(blob.getKey()));
      for (String pin : pins.holders(shard, blob.getKey(), nowNanos)) {
        holders.add("pin " + pin);
      }
      if (!isAnswered) {
        holders.add("a search node that does not answer may read it");
      }
      Long sinceNanos = looseSince.get(blob.getKey());
      fates.add(retention(blob.getKey(), blob.getValue(), holders, sinceNanos));
    }
    return fates;
  }

  /// @param sinceNanos nobody was found to hold it since then; null when nobody has looked
  private BlobRetention retention(
      BlobId blob, long bytes, List<String> holders, @Nullable Long sinceNanos) {
    boolean isLoose = holders.isEmpty();
    long looseMillis = sinceNanos == null ? -1 : (nowNanos() - sinceNanos) / 1_000_000;
    return new BlobRetention(
        blob,
        bytes,
        holders,
        isLoose ? looseMillis : -1,
        isLoose ? Math.max(0, grace.toMillis() - Math.max(0, looseMillis)) : 0);
  }
}
