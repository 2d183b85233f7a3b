package dev.holdfast.indexing.shard;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.gc.BlobDeletion;
import dev.holdfast.indexing.gc.StoredBlobs;
import dev.holdfast.indexing.merge.LazyMerges;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.notice.ShardNotices;
import dev.holdfast.indexing.refresh.Refresher;
import dev.holdfast.indexing.refresh.ReplayDebt;
import dev.holdfast.indexing.upload.Batches;
import dev.holdfast.indexing.upload.Uploader;
import dev.holdfast.indexing.write.WriteGate;
import dev.holdfast.translog.Log;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.nio.file.Path;

/// What works around the engine of an open shard, each part given what it needs of the node.
record ShardWorks(
    WriteGate gate,
    ShardNotices notices,
    Batches batches,
    StoredBlobs blobs,
    Uploader uploader,
    Refresher refresher,
    ShardUpkeep upkeep,
    ShardSchedule schedule,
    ReplayDebt replayDebt) {
  /// @param localFolder of the engine's directory
  static ShardWorks of(
      NodeParts node,
      ShardEngine engine,
      WriteMapping mappings,
      CommitStore commits,
      LazyMerges merges,
      Path localFolder) {
    World world = node.world();
    Log log = node.log();
    Metadata metadata = node.cluster().metadata();
    IndexingConfig config = node.config();
    LifeConfig life = node.life();
    WorkPool refreshing = node.threads().refreshing();
    WriteGate gate = new WriteGate(world);
    ShardNotices notices =
        new ShardNotices(
            world,
            metadata,
            node.cluster().search(),
            node.measures(),
            engine.shard,
            engine.primaryTerm);
    Batches batches =
        new Batches(world, metadata, node.cluster().ownership(), config, engine, localFolder);
    StoredBlobs blobs =
        new StoredBlobs(BlobDeletion.of(node), engine, batches::notUploaded, notices, commits);
    Uploader uploader =
        new Uploader(
            world,
            log,
            metadata,
            node.storage().inputs(),
            node.cluster().marking(),
            node.measures(),
            engine,
            batches,
            commits,
            notices,
            blobs);
    Refresher refresher =
        new Refresher(world, log, config, life, node.threads(), engine, batches, notices);
    ShardUpkeep upkeep =
        new ShardUpkeep(
            world,
            config,
            refreshing,
            node.storage().pace(),
            engine,
            batches,
            blobs,
            uploader,
            refresher,
            notices);
    ShardSchedule schedule =
        new ShardSchedule(world, config, life, engine, mappings, notices, gate, merges, refresher);
    ReplayDebt replayDebt = new ReplayDebt(world, engine, refresher, uploader);
    return new ShardWorks(
        gate, notices, batches, blobs, uploader, refresher, upkeep, schedule, replayDebt);
  }
}
