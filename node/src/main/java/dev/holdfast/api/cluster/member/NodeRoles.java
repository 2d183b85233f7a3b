package dev.holdfast.api.cluster.member;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.identity.NodeIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// A node's roles in Elasticsearch's words.
public final class NodeRoles {
  private NodeRoles() {}

  /// `data` and `ingest` are among them because clients send documents and searches to nodes with
  /// these roles.
  public static List<String> names(NodeIdentity node) {
    TreeSet<String> names = new TreeSet<>(List.of("data", "ingest", "master"));
    for (Role role : node.roles()) {
      names.add(role.label());
    }
    return new ArrayList<>(names);
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
