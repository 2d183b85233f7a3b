package dev.holdfast.indexing.node;

import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;

/// The threads that all shards of a node share.
///
/// @param writing parse and index
/// @param refreshing make commits and reopen readers
/// @param merging merge
public record NodeThreads(WorkPool writing, WorkPool refreshing, WorkPool merging) {
  static NodeThreads begin(World world, IndexingConfig config) {
    return new NodeThreads(
        world.tasks().pool("write", config.threads(), config.queueMax()),
        world.tasks().pool("refresh", config.threads(), config.queueMax()),
        world.tasks().pool("merge", Math.max(1, config.threads() / 2), config.queueMax()));
  }

  /// Ends what runs in them.
  public void close() {
    writing.close();
    refreshing.close();
    merging.close();
  }
}
