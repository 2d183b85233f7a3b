package dev.holdfast.clusterstate;

/// The snapshot that an index was restored from.
///
/// @param repository its name
/// @param snapshot its name
/// @param uuid of the snapshot, which never comes back though its name may
public record SnapshotReference(String repository, String snapshot, String uuid) {}
