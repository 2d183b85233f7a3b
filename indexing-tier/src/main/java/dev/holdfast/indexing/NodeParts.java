package dev.holdfast.indexing;

import dev.holdfast.blobcache.BlobInputs;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Ownership;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.translog.Log;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/// What all indexing shards of a node share.
///
/// @param writing threads that parse and index
/// @param refreshing threads that make commits and reopen readers
/// @param merges one permit a merge that may run, all shards together
/// @param scratchFolder local files that no restart needs
record NodeParts(
    World world,
    ObjectStore store,
    Log log,
    Metadata metadata,
    Ownership ownership,
    BlobInputs inputs,
    SearchNotices search,
    IndexingConfig config,
    WorkPool writing,
    WorkPool refreshing,
    InFlightBytes inFlight,
    IndexingMemory memory,
    Semaphore merges,
    Path scratchFolder) {}
