package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import java.util.List;

/// A snapshot that somebody asks for.
///
/// @param indices in the order of their names
/// @param isPartial whether it is made without the shards that cannot be had
/// @param about what the manifest says beside: `metadata`, `global`, `data_streams`, …
record WantedSnapshot(
    String name,
    List<IndexMetadata> indices,
    boolean isPartial,
    boolean hasGlobalState,
    ObjectNode about) {
  WantedSnapshot {
    indices = List.copyOf(indices);
  }

  int shards() {
    return indices.stream().mapToInt(IndexMetadata::shards).sum();
  }
}
