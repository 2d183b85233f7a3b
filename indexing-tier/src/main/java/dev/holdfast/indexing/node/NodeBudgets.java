package dev.holdfast.indexing.node;

import dev.holdfast.world.Clock;
import org.jspecify.annotations.Nullable;

/// What all shards of a node may use together.
///
/// @param inFlight bytes of writes on their way
/// @param memory of what is indexed and not flushed
/// @param manualRefreshes what clients may refresh; null for as much as they like
public record NodeBudgets(
    InFlightBytes inFlight, IndexingMemory memory, @Nullable RefreshAllowance manualRefreshes) {
  static NodeBudgets begin(Clock clock, IndexingConfig config, LifeConfig life) {
    return new NodeBudgets(
        new InFlightBytes(config.memory().inFlight()),
        new IndexingMemory(config.memory().buffers()),
        life.manualRefreshes() == null
            ? null
            : new RefreshAllowance(
                clock, life.manualRefreshes(), Runtime.getRuntime().maxMemory()));
  }
}
