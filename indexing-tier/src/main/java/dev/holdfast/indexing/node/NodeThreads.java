package dev.holdfast.indexing.node;

import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.time.Duration;

/// The threads that all shards of a node share.
///
/// @param writing parse and index
/// @param refreshing make commits and reopen readers
/// @param merging merge
public record NodeThreads(WorkPool writing, WorkPool refreshing, WorkPool merging) {
  /// A batch of documents takes less; a script of an update, or a document of a hundred thousand
  /// fields, may take more, and then others' writes do not wait for it.
  private static final Duration LONG_WRITE = Duration.ofSeconds(1);

  static NodeThreads begin(World world, IndexingConfig config) {
    return new NodeThreads(
        world.tasks().fairPool("write", config.threads(), config.queueMax(), LONG_WRITE),
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
