package dev.holdfast.api.cluster.member;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.identity.NodeIdentity;
import java.util.List;

/// A node's roles in Elasticsearch's words.
public final class NodeRoles {
  private static final List<String> NAMES = List.of("data", "ingest", "master");

  /// Elasticsearch's other roles, which no node has.
  public static final List<String> NOBODYS =
      List.of(
          "data_cold",
          "data_content",
          "data_frozen",
          "data_hot",
          "data_warm",
          "ml",
          "remote_cluster_client",
          "transform",
          "voting_only");

  private NodeRoles() {}

  /// `data` and `ingest` are among them because clients send documents and searches to nodes with
  /// these roles.
  public static List<String> names() {
    return NAMES;
  }

  /// The tiers that a node belongs to, in our own words: clients of Elasticsearch know only its
  /// roles, and some of them fail at any other.
  public static List<String> tiers(NodeIdentity node) {
    return node.roles().stream().map(Role::label).sorted().toList();
  }

  /// One letter a role, in alphabetic order, as `_cat/nodes` shows them.
  public static String letters(NodeIdentity node) {
    StringBuilder letters = new StringBuilder("dim");
    if (node.roles().contains(Role.INDEX)) {
      letters.append('I');
    }
    if (node.roles().contains(Role.SEARCH)) {
      letters.append('S');
    }
    return letters.toString();
  }
}
