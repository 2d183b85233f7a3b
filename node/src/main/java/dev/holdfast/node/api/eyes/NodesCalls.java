package dev.holdfast.node.api.eyes;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.node.NodeIdentity;
import dev.holdfast.node.routing.Peers;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;

/// What a question to every node of the cluster takes.
///
/// @param network hears other nodes' questions
/// @param peers the other nodes, to be asked
public record NodesCalls(
    World world, NodeIdentity self, Metadata metadata, Network network, Peers peers) {
  /// A question that other nodes are answered from now on, too.
  ///
  /// @param name of the call: `broadcast/<name>`
  public AllNodes call(String name, Eye here) {
    return new AllNodes(this, name, here);
  }
}
