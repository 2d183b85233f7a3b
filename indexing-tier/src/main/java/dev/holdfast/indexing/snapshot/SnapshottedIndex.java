package dev.holdfast.indexing.snapshot;

import dev.holdfast.clusterstate.IndexMetadata;
import java.util.List;

/// An index in a snapshot.
///
/// @param metadata as the cluster state had it, with at least the mapping of the commits
/// @param shards in their order
public record SnapshottedIndex(IndexMetadata metadata, List<SnapshottedShard> shards) {
  public SnapshottedIndex {
    shards = List.copyOf(shards);
  }
}
