package dev.holdfast.indexing.node;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.indexing.pin.BlobPins;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.budget.SpendingPace;
import java.nio.file.Path;

/// Where the shards of a node lie: in the store, and on the disk for as long as the process lives.
///
/// @param pins blobs that others hold
/// @param repositories the snapshots that shards may begin with
/// @param scratchFolder local files that no restart needs
/// @param disk where that folder lies
/// @param pace how fast uploads may cost money
public record NodeStorage(
    ObjectStore store,
    BlobInputs inputs,
    BlobPins pins,
    RepositoryStores repositories,
    Path scratchFolder,
    DiskRoom disk,
    SpendingPace pace) {}
