package dev.holdfast.node;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.indexing.IndexingShards;
import dev.holdfast.node.settings.NodeSettings;
import dev.holdfast.search.Searches;
import dev.holdfast.world.World;

/// All that an API may call, handed to each by constructor.
public record Rooms(
    World world,
    NodeSettings settings,
    NodeIdentity identity,
    Metadata metadata,
    MappingFactory mappings,
    IndexingShards indexing,
    Searches searches,
    Instruments instruments) {}
