package dev.holdfast.api.ilm.action;

import dev.holdfast.api.indices.ResizeApi;
import dev.holdfast.api.indices.RolloverApi;
import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.World;

/// What steps work with.
///
/// @param storeClock what becomes less by its age needs its consent
/// @param merges those that run in the background
/// @param downsampling what runs in the background
public record StepTools(
    World world,
    Metadata metadata,
    StoreClock storeClock,
    IndexingShards shards,
    RolloverApi rollover,
    ResizeApi resize,
    BackgroundMerges merges,
    BackgroundDownsampling downsampling) {
  long nowMillis() {
    return world.clock().epochMillis();
  }
}
