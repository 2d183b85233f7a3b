package dev.holdfast.indexing.node;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.notice.SearchMembers;
import dev.holdfast.indexing.mark.UploadMarking;
import dev.holdfast.indexing.pin.BlobPins;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.translog.Log;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What all indexing shards of a node share.
///
/// @param search the search nodes, told of commits
/// @param manualRefreshes what clients may refresh; null for as much as they like
/// @param writing threads that parse and index
/// @param refreshing threads that make commits and reopen readers
/// @param merging threads that merge, all shards together
/// @param pins blobs that others hold
/// @param repositories the snapshots that shards may begin with
/// @param marking tells the cluster state what is in the store
/// @param routers who may send writes
/// @param measures what is measured of all shards
/// @param scratchFolder local files that no restart needs
/// @param disk where that folder lies
/// @param pace how fast uploads may cost money
public record NodeParts(
    World world,
    ObjectStore store,
    Log log,
    Metadata metadata,
    Ownership ownership,
    BlobInputs inputs,
    SearchMembers search,
    IndexingConfig config,
    LifeConfig life,
    @Nullable RefreshAllowance manualRefreshes,
    WorkPool writing,
    WorkPool refreshing,
    InFlightBytes inFlight,
    IndexingMemory memory,
    WorkPool merging,
    BlobPins pins,
    RepositoryStores repositories,
    UploadMarking marking,
    RoutingNodes routers,
    TierMeasures measures,
    Path scratchFolder,
    DiskRoom disk,
    SpendingPace pace) {
  /// The parts of a node that begins, with pools and budgets as its settings say.
  public static NodeParts begin(
      World world,
      ObjectStore store,
      Log log,
      Metadata metadata,
      Ownership ownership,
      BlobInputs inputs,
      SearchMembers search,
      IndexingConfig config,
      LifeConfig life,
      Path scratchFolder,
      SpendingPace pace) {
    return new NodeParts(
        world,
        store,
        log,
        metadata,
        ownership,
        inputs,
        search,
        config,
        life,
        life.manualRefreshes() == null
            ? null
            : new RefreshAllowance(
                world.clock(), life.manualRefreshes(), Runtime.getRuntime().maxMemory()),
        world.tasks().pool("write", config.threads(), config.queueMax()),
        world.tasks().pool("refresh", config.threads(), config.queueMax()),
        new InFlightBytes(config.memory().inFlight()),
        new IndexingMemory(config.memory().buffers()),
        world.tasks().pool("merge", Math.max(1, config.threads() / 2), config.queueMax()),
        new BlobPins(world, store, metadata),
        new RepositoryStores(world, store, config.repositories()),
        new UploadMarking(
            world, log, metadata, ownership, config.uploads().markEvery(), config.openingMax()),
        new RoutingNodes(metadata),
        TierMeasures.begin(),
        scratchFolder,
        new DiskRoom(world.clock(), scratchFolder),
        pace);
  }
}
