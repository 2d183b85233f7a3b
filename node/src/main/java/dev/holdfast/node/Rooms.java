package dev.holdfast.node;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.indexing.IndexingShards;
import dev.holdfast.node.api.ClusterMembers;
import dev.holdfast.node.api.ShardHealth;
import dev.holdfast.node.api.eyes.NodesCalls;
import dev.holdfast.node.api.index.IndexCreation;
import dev.holdfast.node.settings.NodeSettings;
import dev.holdfast.search.Searches;
import dev.holdfast.world.World;

/// All that the tables of APIs hand out: an API gets the parts that it needs, by constructor.
public record Rooms(
    World world,
    NodeSettings settings,
    NodeIdentity identity,
    Metadata metadata,
    MappingFactory mappings,
    IndexingShards indexing,
    Searches searches,
    Instruments instruments) {
  public ClusterMembers members() {
    return new ClusterMembers(identity, metadata);
  }

  public ShardHealth shardHealth() {
    return new ShardHealth(metadata, indexing, instruments.tiers().cache());
  }

  public NodesCalls nodesCalls() {
    return new NodesCalls(world, identity, metadata, instruments.network(), instruments.peers());
  }

  public IndexCreation creation() {
    return new IndexCreation(world, metadata, mappings);
  }
}
