package dev.holdfast.api.broadcast;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.routing.RemoteMembers;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;

/// What a question to every node of the cluster takes.
///
/// @param network hears other nodes' questions
/// @param peers the other nodes, to be asked
public record Broadcasts(
    World world, NodeIdentity self, Metadata metadata, Network network, RemoteMembers peers) {
  /// A question that other nodes are answered from now on, too.
  ///
  /// @param name of the call: `eyes/<name>`
  public Broadcast call(String name, BroadcastAnswer here) {
    return new Broadcast(this, name, here);
  }
}
