package dev.holdfast.api.cluster.member;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.identity.NodeIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The nodes of the cluster, this one first, as the cluster state knows them.
///
/// @param self this node
public record ClusterMembers(NodeIdentity self, Metadata metadata) {
  public List<NodeIdentity> all() {
    List<NodeIdentity> all = new ArrayList<>();
    all.add(self);
    metadata.current().members().values().stream()
        .filter(member -> !isSelf(member.id()))
        .map(NodeIdentity::of)
        .forEach(all::add);
    return all;
  }

  public boolean isSelf(String id) {
    return id.equals(self.id());
  }

  /// Nodes that hold shards.
  public int data() {
    return (int)
        all().stream()
            .filter(n -> n.roles().contains(Role.INDEX) || n.roles().contains(Role.SEARCH))
            .count();
  }

  public Optional<NodeIdentity> byId(String id) {
    return all().stream().filter(node -> node.id().equals(id)).findFirst();
  }

  public Optional<NodeIdentity> leader() {
    return byId(metadata.leaderId());
  }
}
