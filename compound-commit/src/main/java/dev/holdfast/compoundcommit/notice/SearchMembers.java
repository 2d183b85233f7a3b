package dev.holdfast.compoundcommit.notice;

/// The search nodes of the cluster, as an indexing node reaches them.
@FunctionalInterface
public interface SearchMembers {
  /// @param member ephemeral id of a member of the cluster state
  SearchNotices member(String member);
}
