package dev.holdfast.api.cluster.member;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.identity.Version;

/// A node as answers about shards and the cluster state show it. Clients with types for answers
/// fail where one of these members is missing.
public final class ShownNode {
  private ShownNode() {}

  /// Writes its members into an object.
  public static ObjectNode describe(ObjectNode to, NodeIdentity node) {
    to.put("name", node.name())
        .put("ephemeral_id", node.id())
        .put("transport_address", node.address())
        .put("external_id", node.name())
        .putObject("attributes");
    NodeRoles.names().forEach(to.putArray("roles")::add);
    return to.put("version", Version.API)
        .put("min_index_version", Version.INDEX_MIN)
        .put("max_index_version", Version.INDEX_MAX);
  }
}
