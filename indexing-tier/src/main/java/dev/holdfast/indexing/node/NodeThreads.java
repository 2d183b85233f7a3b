package dev.holdfast.indexing.node;

import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.time.Duration;

/// The threads that all shards of a node share.
///
/// @param writing parse and index
/// @param refreshing make commits and reopen readers
/// @param moving make the last commits of shards that are given away or divided, and the first of
///   those that are opened: writes wait for them, and must not wait for everybody's refreshes, too
/// @param merging merge
public record NodeThreads(
    WorkPool writing, WorkPool refreshing, WorkPool moving, WorkPool merging) {
  /// A batch of documents takes less; a script of an update, or a document of a hundred thousand
  /// fields, may take more, and then others' writes do not wait for it.
  private static final Duration LONG_WRITE = Duration.ofSeconds(1);

  static NodeThreads begin(World world, IndexingConfig config) {
    return new NodeThreads(
        world.tasks().fairPool("write", config.threads(), config.queueMax(), LONG_WRITE),
        world.tasks().pool("refresh", config.threads(), config.queueMax()),
        world.tasks().pool("move", config.threads(), config.queueMax()),
        world.tasks().pool("merge", Math.max(1, config.threads() / 2), config.queueMax()));
  }

  /// Ends what runs in them.
  public void close() {
    writing.close();
    refreshing.close();
    moving.close();
    merging.close();
  }
}
