package dev.holdfast.indexing.node;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.notice.SearchMembers;
import dev.holdfast.indexing.mark.UploadMarking;

/// The cluster as the shards of a node see it.
///
/// @param search the search nodes, told of commits
/// @param marking tells the cluster state what is in the store
/// @param routers who may send writes
public record NodeCluster(
    Metadata metadata,
    Ownership ownership,
    SearchMembers search,
    UploadMarking marking,
    RoutingNodes routers) {}
