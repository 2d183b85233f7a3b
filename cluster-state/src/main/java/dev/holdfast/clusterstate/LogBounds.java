package dev.holdfast.clusterstate;

/// What the cluster state knows of a node's log: every file from `low` to `durable` was in the
/// store when this was written, and stays until a later `low` is above it.
///
/// @param low the first ordinal that some shard may need; files below may be deleted
/// @param durable the last ordinal that was acknowledged; -1 for none
public record LogBounds(long low, long durable) {}
