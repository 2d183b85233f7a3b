package dev.holdfast.api.snapshot;

/// A snapshot in a line.
///
/// @param endMillis 0 while it is made
public record SnapshotLine(
    String snapshot,
    String repository,
    String state,
    long startMillis,
    long endMillis,
    int indices,
    int shards,
    int failedShards) {
  static SnapshotLine of(ShownSnapshot shown) {
    return new SnapshotLine(
        shown.manifest().name(),
        shown.repository(),
        shown.manifest().state().shown(),
        shown.manifest().startMillis(),
        shown.manifest().endMillis(),
        shown.manifest().indices().size(),
        shown.manifest().shards().size(),
        (int) shown.manifest().shards().stream().filter(shard -> !shard.isThere()).count());
  }
}
