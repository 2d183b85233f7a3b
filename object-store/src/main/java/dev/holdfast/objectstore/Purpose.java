package dev.holdfast.objectstore;

import java.util.Locale;

/// What a request is for: requests, bytes and dollars are counted by purpose.
public enum Purpose {
  /// Compound translog files.
  TRANSLOG,
  /// Batched compound commits written by indexing nodes.
  COMMIT_UPLOAD,
  /// Reads that serve searches and gets.
  SEARCH,
  /// Reads that serve indexing: id look-ups, merges.
  INDEXING,
  /// Finding and replaying what a shard needs to start.
  RECOVERY,
  /// Cluster state, lease, node records.
  CLUSTER_STATE,
  /// Deletions and sweeps.
  GARBAGE_COLLECTION,
  /// Moves of old blobs to a cheaper class.
  STORAGE_CLASS,
  /// Reads that check what is stored.
  SCRUB,
  /// What people ask to see.
  OPERATORS;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
