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
import dev.holdfast.world.World;
import java.nio.file.Path;

/// What all indexing shards of a node share.
///
/// @param measures what is measured of all shards
public record NodeParts(
    World world,
    Log log,
    NodeStorage storage,
    NodeCluster cluster,
    NodeThreads threads,
    NodeBudgets budgets,
    IndexingConfig config,
    LifeConfig life,
    TierMeasures measures) {
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
    NodeBudgets budgets = NodeBudgets.begin(world.clock(), config, life);
    return new NodeParts(
        world,
        log,
        new NodeStorage(
            store,
            inputs,
            new BlobPins(world, store, metadata),
            new RepositoryStores(world, store, config.repositories()),
            scratchFolder,
            new DiskRoom(world.clock(), scratchFolder),
            pace),
        new NodeCluster(
            metadata,
            ownership,
            search,
            new UploadMarking(
                world, log, metadata, ownership, config.uploads().markEvery(), config.openingMax()),
            new RoutingNodes(metadata)),
        NodeThreads.begin(world, config),
        budgets,
        config,
        life,
        TierMeasures.begin(budgets.inFlight()));
  }
}
