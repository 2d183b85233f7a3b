package dev.holdfast.indexing.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A snapshot: what it has, and how far it is. Immutable; the JSON members are never changed after
/// construction.
///
/// @param uuid made with it, never used again
/// @param node ephemeral id of the process that makes it, or has made it
/// @param endMillis wall time; 0 while it is made
/// @param hasGlobalState whether `about` has what the cluster state says beside the indices
/// @param about `metadata` of the user, `version`, `policy`, `data_streams`, `global`, `clone_of`
/// @param indices by name
public record SnapshotManifest(
    String name,
    String uuid,
    SnapshotState state,
    String node,
    long startMillis,
    long endMillis,
    boolean hasGlobalState,
    ObjectNode about,
    SortedMap<String, SnapshottedIndex> indices) {

  public SnapshotManifest {
    indices = Collections.unmodifiableSortedMap(new TreeMap<>(indices));
  }

  /// The same, further on.
  public SnapshotManifest in(SnapshotState next, long atMillis) {
    return new SnapshotManifest(
        name, uuid, next, node, startMillis, atMillis, hasGlobalState, about, indices);
  }

  /// The same with other indices.
  public SnapshotManifest with(SortedMap<String, SnapshottedIndex> changed) {
    return new SnapshotManifest(
        name, uuid, state, node, startMillis, endMillis, hasGlobalState, about, changed);
  }

  /// Every shard of every index.
  public List<SnapshottedShard> shards() {
    return indices.values().stream().flatMap(index -> index.shards().stream()).toList();
  }

  /// Names of the data streams that it has.
  public List<String> dataStreams() {
    TreeMap<String, Boolean> names = new TreeMap<>();
    about.path("data_streams").fieldNames().forEachRemaining(name -> names.put(name, true));
    return List.copyOf(names.keySet());
  }
}
