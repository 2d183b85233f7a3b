package dev.holdfast.search.node;

/// The search nodes of the cluster.
@FunctionalInterface
public interface SearchNodes {
  /// For what another node can answer as well: fails soon when the member is out of reach.
  ///
  /// @param member ephemeral id of a member of the cluster state
  SearchNode member(String member);

  /// For what no other node can answer: waits for the member as long as it is one.
  default SearchNode onlyMember(String member) {
    return member(member);
  }
}
