package dev.holdfast.compoundcommit.store;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.InUse;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Who holds which blob of a shard, and so which may be deleted (§6.1). A decision only: the caller
/// reads the lease before it deletes.
///
/// @param newestUploaded the newest commit in the store; empty: nothing is deleted
/// @param retained commits that the indexing shard or a snapshot keeps
/// @param local blobs that the indexing shard's directory reads
/// @param inUse by node id: what its search copy last reported; a node that was notified and has
///   not answered is there with every blob it may have opened
public record BlobReferences(
    Optional<CompoundCommit> newestUploaded,
    List<CompoundCommit> retained,
    SortedSet<BlobId> local,
    SortedMap<String, InUse> inUse) {
  public BlobReferences {
    retained = List.copyOf(retained);
    local = Collections.unmodifiableSortedSet(new TreeSet<>(local));
    inUse = Collections.unmodifiableSortedMap(new TreeMap<>(inUse));
  }

  /// The blobs of `stored` that nothing holds. Blobs as new as the newest commit's own, or newer,
  /// are never among them: they may be an upload in flight or another owner's.
  public SortedSet<BlobId> deletable(Collection<BlobId> stored) {
    SortedSet<BlobId> deletable = new TreeSet<>();
    for (BlobId blob : stored) {
      if (holders(blob).isEmpty()) {
        deletable.add(blob);
      }
    }
    return deletable;
  }

  /// Who holds the blob, in words for `_holdfast/gc/explain`; empty when it may be deleted.
  public List<String> holders(BlobId blob) {
    List<String> holders = new java.util.ArrayList<>();
    if (newestUploaded.isEmpty()) {
      return List.of("nothing is known to be uploaded");
    }
    CompoundCommit newest = newestUploaded.get();
    if (blob.compareTo(newest.home()) >= 0) {
      holders.add("not older than the newest commit");
    }
    if (newest.blobs().contains(blob)) {
      holders.add("newest uploaded commit " + newest.generation());
    }
    for (CompoundCommit commit : retained) {
      if (commit.blobs().contains(blob)) {
        holders.add("retained commit " + commit.generation());
      }
    }
    if (local.contains(blob)) {
      holders.add("the indexing shard reads it");
    }
    inUse.forEach((node, use) -> {
      if (use.blobs().contains(blob)) {
        holders.add("search copy on node " + node);
      }
    });
    return holders;
  }
}
