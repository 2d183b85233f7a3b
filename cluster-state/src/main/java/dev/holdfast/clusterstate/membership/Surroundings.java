package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;

/// What a member of a cluster works with.
///
/// @param store retries for ever: calls block while the store is away
/// @param network serves already what it is told to serve
/// @param fence shuts evicted members out of their logs
/// @param clusterName as people call the cluster ([ClusterName])
public record Surroundings(
    World world,
    ObjectStore store,
    Network network,
    ClusterConfig config,
    LogFence fence,
    String clusterName) {
  /// Of a cluster that nobody has named.
  public Surroundings(
      World world, ObjectStore store, Network network, ClusterConfig config, LogFence fence) {
    this(world, store, network, config, fence, ClusterName.DEFAULT);
  }

  Surroundings with(World other) {
    return new Surroundings(other, store, network, config, fence, clusterName);
  }
}
