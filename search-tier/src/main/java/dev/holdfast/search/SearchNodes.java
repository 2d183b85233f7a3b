package dev.holdfast.search;

/// The search nodes of the cluster.
@FunctionalInterface
public interface SearchNodes {
  /// @param member ephemeral id of a member of the cluster state
  SearchNode member(String member);
}
