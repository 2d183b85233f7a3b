package dev.holdfast.api;

import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.cluster.health.HealthReader;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.resolve.ClusterBlocks;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.provision.Provisioner;
import dev.holdfast.search.Searches;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.World;

/// All that the tables of APIs hand out: an API gets the parts that it needs, by constructor.
public record ApiDependencies(
    World world,
    NodeSettings settings,
    NodeIdentity identity,
    Metadata metadata,
    MappingFactory mappings,
    IndexingShards indexing,
    Searches searches,
    NodeInstruments instruments,
    Provisioner provisioner) {
  /// The same, with metadata that change only while the cluster has no block.
  public ApiDependencies guarded() {
    return new ApiDependencies(
        world,
        settings,
        identity,
        ClusterBlocks.guarded(metadata),
        mappings,
        indexing,
        searches,
        instruments,
        provisioner);
  }

  public ClusterMembers members() {
    return new ClusterMembers(identity, metadata);
  }

  public HealthReader shardHealth() {
    return new HealthReader(metadata, indexing);
  }

  public Broadcasts nodesCalls() {
    return new Broadcasts(world, identity, metadata, instruments.network(), instruments.peers());
  }

  public IndexCreation creation() {
    return new IndexCreation(world, metadata, mappings);
  }
}
