package dev.holdfast.node.api;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.node.NodeIdentity;
import dev.holdfast.node.Rooms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The nodes of the cluster, this one first, as the cluster state knows them.
final class ClusterMembers {
  private ClusterMembers() {}

  static List<NodeIdentity> all(Rooms rooms) {
    List<NodeIdentity> all = new ArrayList<>();
    all.add(rooms.identity());
    rooms.metadata().current().members().values().stream()
        .filter(member -> !isSelf(rooms, member.id()))
        .map(NodeIdentity::of)
        .forEach(all::add);
    return all;
  }

  static boolean isSelf(Rooms rooms, String id) {
    return id.equals(rooms.identity().id());
  }

  /// Nodes that hold shards.
  static int data(Rooms rooms) {
    return (int)
        all(rooms).stream()
            .filter(n -> n.roles().contains(Role.INDEX) || n.roles().contains(Role.SEARCH))
            .count();
  }

  static Optional<NodeIdentity> byId(Rooms rooms, String id) {
    return all(rooms).stream().filter(node -> node.id().equals(id)).findFirst();
  }

  static Optional<NodeIdentity> leader(Rooms rooms) {
    return byId(rooms, rooms.metadata().leaderId());
  }
}
