package dev.holdfast.indexing;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.allocation.ShardLoad;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.SearchMembers;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.gc.BlobDeletion;
import dev.holdfast.indexing.gc.BlobRetention;
import dev.holdfast.indexing.gc.DeletedFolders;
import dev.holdfast.indexing.gc.HollowGarbage;
import dev.holdfast.indexing.lent.LentCopies;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.node.TierMeasures;
import dev.holdfast.indexing.notice.IndexingShardInfo;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.relocation.IdleShards;
import dev.holdfast.indexing.relocation.OpenShards;
import dev.holdfast.indexing.relocation.ShardSlot;
import dev.holdfast.indexing.relocation.ShardSlots;
import dev.holdfast.indexing.shard.ChunkReads;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.indexing.shard.ReplayDebts;
import dev.holdfast.indexing.sweep.SweptShards;
import dev.holdfast.indexing.upload.PendingBatch;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.translog.Log;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The indexing tier of one process (§3): every shard of every open index, opened as the cluster
/// state says, and looked after.
public final class IndexingTier implements ShardOwner, SweptShards, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexingTier.class);

  private final NodeParts node;
  private final DeletedFolders deletedFolders;
  private final HollowGarbage hollowGarbage;
  private final ShardSlots slots;
  private final LentCopies copies;
  private final OpenShards openShards;
  private final TierTick tick;
  private final ChunkReads chunks;
  private Tasks.@Nullable Task ticking;

  /// Apart from the tick, which begins refreshes and uploads: it asks the store and waits for it.
  private Tasks.@Nullable Task deleting;

  /// Apart from all else: a copy takes its time.
  private Tasks.@Nullable Task copying;

  /// @param store retries for ever by itself
  /// @param ownership whose node the log is of
  /// @param search the search nodes, told of commits
  /// @param scratchFolder local files of shards; nothing in it outlives the process
  public IndexingTier(
      World world,
      ObjectStore store,
      Log log,
      Metadata metadata,
      Ownership ownership,
      BlobInputs inputs,
      MappingFactory mappingFactory,
      SearchMembers search,
      IndexingConfig config,
      LifeConfig life,
      Path scratchFolder,
      SpendingPace pace) {
    this.node =
        NodeParts.begin(
            world,
            store,
            log,
            metadata,
            ownership,
            inputs,
            search,
            config,
            life,
            scratchFolder,
            pace);
    this.chunks = new ChunkReads(world);
    this.deletedFolders = new DeletedFolders(BlobDeletion.of(node), store, metadata);
    this.hollowGarbage = new HollowGarbage(BlobDeletion.of(node), store, metadata, search);
    this.slots = new ShardSlots(node, mappingFactory, hollowGarbage, deletedFolders);
    this.copies = new LentCopies(node, slots, deletedFolders);
    this.openShards = new OpenShards(world, store, config, metadata, ownership, slots);
    this.tick =
        new TierTick(
            node,
            slots,
            new IdleShards(life.hollowAfter(), Runtime.getRuntime().maxMemory()),
            new ReplayDebts(config.uploads(), config.threads(), pace, world.clock().nanoTime()));
  }

  /// Begins to open the shards that the current state gives this node, those first that requests
  /// wait for, and follows the state from then on. Waits for none: however many there are, and
  /// however much they have to replay, what is open answers.
  public void start() throws IOException, InterruptedException {
    IOUtils.rm(node.storage().scratchFolder()); // of a process that is dead
    node.cluster()
        .metadata()
        .listen((before, now) -> {
          node.cluster().marking().follow(now);
          slots.follow(now);
        });
    ticking = node.world().tasks().repeat("indexing-tick", node.config().tick(), tick::run);
    deleting =
        node.world()
            .tasks()
            .repeat("deleted-folders", node.config().tick(), deletedFolders::delete);
    copying = node.world().tasks().repeat("lent-copies", node.config().tick(), copies::look);
  }

  @Override
  public List<WriteResult> write(
      ShardId shard, WriteAttempt attempt, List<WriteOperation> operations)
      throws IOException, InterruptedException {
    List<WriteResult> results = openShards.forWrites(shard).write(attempt, operations);
    if (results.stream().anyMatch(IndexingTier::isRead)) {
      requireServing(shard);
    }
    return results;
  }

  @Override
  public void refresh(ShardId shard, long stateVersion, long dividedSince, boolean awaits)
      throws IOException, InterruptedException {
    openShards.awaitState(shard, stateVersion);
    requireServing(shard);
    openShards.requireUndivided(shard, dividedSince);
    if (isAllSearchable(shard)) {
      return;
    }
    IndexingShard open = openShards.opened(shard, dividedSince);
    if (awaits) {
      open.awaitRefresh();
    } else {
      open.refresh();
    }
  }

  @Override
  public void flush(ShardId shard, long stateVersion) throws IOException, InterruptedException {
    openShards.awaitState(shard, stateVersion);
    ShardSlot slot = slots.get(shard);
    if (slot == null || !slot.flushedAsleep()) {
      openShards.opened(shard).flush();
    }
  }

  @Override
  public void upload(ShardId shard) throws IOException, InterruptedException {
    if (!isAllSearchable(shard)) {
      openShards.opened(shard).upload();
    }
  }

  @Override
  public void forceMerge(ShardId shard, int maxSegments, boolean onlyExpungeDeletes)
      throws IOException, InterruptedException {
    openShards.opened(shard).forceMerge(maxSegments, onlyExpungeDeletes);
  }

  private boolean isAllSearchable(ShardId shard) {
    ShardSlot slot = slots.get(shard);
    return slot != null && slot.isAllSearchable();
  }

  @Override
  public void awaitOpen(ShardId shard) throws InterruptedException {
    ShardSlot slot = slots.get(shard);
    if (slot == null || !slot.isHollow()) {
      IndexingShard _ = openShards.opened(shard);
    }
  }

  @Override
  public int found(ShardId shard, List<BlobId> blobs) throws IOException {
    ShardSlot slot = slots.get(shard);
    if (slot == null) {
      throw ShardNotHere.of(shard);
    }
    IndexingShard open = slot.open();
    if (open != null) {
      hollowGarbage.forget(shard);
      open.found(blobs);
      return 0;
    }
    return slot.isHollow() ? hollowGarbage.look(shard, blobs) : blobs.size();
  }

  /// A shard is in its slot when its first commit, which points at our log, is in the store; a
  /// hollow one has a commit that points at none.
  @Override
  public List<ShardId> settled() {
    return slots.all().stream()
        .filter(slot -> slot.open() != null || slot.isHollow())
        .map(slot -> slot.shard)
        .toList();
  }

  /// Why the blobs of a shard are still in the store.
  ///
  /// @throws dev.holdfast.world.Refusal when the shard is not here
  public List<BlobRetention> explain(ShardId shard) throws IOException {
    ShardSlot slot = slots.get(shard);
    if (slot == null) {
      throw ShardNotHere.of(shard);
    }
    IndexingShard open = slot.open();
    return open == null ? hollowGarbage.explain(shard) : open.explain();
  }

  /// Every shard that this node owns.
  public List<IndexingShardInfo> sights() {
    return slots.sights();
  }

  /// The shards that are open now.
  public Set<ShardId> openShardIds() {
    return slots.open().stream().map(shard -> shard.engine.shard).collect(Collectors.toSet());
  }

  /// What the shards of this node cost it.
  public Map<ShardId, ShardLoad> loads() {
    return slots.loads();
  }

  /// Batches of a shard that are not in the store.
  public List<PendingBatch> pending(ShardId shard) {
    IndexingShard open = slots.openNow(shard);
    return open == null ? List.of() : open.pending();
  }

  public TierMeasures measures() {
    return node.measures();
  }

  /// Pins that could not be read when blobs were to be deleted, and how they are damaged, by key.
  public SortedMap<String, String> damagedPins() {
    return node.storage().pins().damaged();
  }

  /// Shards that this node owns and has neither memory nor disk for.
  public int hollowShards() {
    return (int) slots.all().stream().filter(ShardSlot::isHollow).count();
  }

  /// Shards that are open here.
  public int openShardCount() {
    return slots.open().size();
  }

  @Override
  public ShardStats stats(ShardId shard) throws IOException {
    ShardSlot slot = slots.get(shard);
    if (slot == null) {
      throw ShardNotHere.of(shard);
    }
    IndexingShard open = slot.open();
    ShardStats last = slot.isHollow() ? slot.lastStats() : null;
    if (open == null && last == null) {
      throw slots.notOpen(slot);
    }
    return open == null ? Objects.requireNonNull(last) : open.stats();
  }

  @Override
  public RealTimeDocument get(ShardId shard, long dividedSince, String id) throws IOException {
    requireServing(shard);
    try {
      RealTimeDocument found = openShards.find(shard, dividedSince, id);
      requireServing(shard); // it may have been evicted while the shard was being opened
      return found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(
          "interrupted while the shard was being opened [shard=" + shard + "]", e);
    }
  }

  /// Whether it tells of the document and put nothing into the log, which would have been refused
  /// to a node that does not own the shard any more.
  private static boolean isRead(WriteResult result) {
    return switch (result) {
      case WriteResult.Done done -> done.effect() == WriteResult.Effect.NOOP;
      case WriteResult.Refused _ -> true;
    };
  }

  /// A shard whose node is cut off may have another owner by now, who has taken newer writes.
  private void requireServing(ShardId shard) {
    node.cluster()
        .ownership()
        .requireServing(ErrorType.UNAVAILABLE_SHARDS, shard + " primary shard is not active");
  }

  @Override
  public Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length)
      throws IOException {
    IndexingShard open = slots.openNow(shard);
    if (open == null) {
      return Optional.empty();
    }
    return chunks.read(open, blob, offset, length);
  }

  @Override
  public Optional<Path> localFile(ShardId shard, String file) {
    IndexingShard open = slots.openNow(shard);
    return open == null ? Optional.empty() : open.localFile(file);
  }

  @Override
  public CommitNotice newest(ShardId shard, String member, long stateVersion)
      throws IOException, InterruptedException {
    openShards.awaitState(shard, stateVersion);
    openShards.awaitLook(shard);
    CommitNotice ofHollow = slots.newestOfHollow(shard);
    if (ofHollow != null) {
      return ofHollow;
    }
    CommitNotice newest = openShards.opened(shard).newest(member);
    if (newest == null) {
      throw ShardEngine.unavailable(shard, null);
    }
    return newest;
  }

  /// A shard that is being opened keeps no search waiting: what it replays becomes searchable when
  /// it is open.
  @Override
  public void searched(ShardId shard) throws IOException, InterruptedException {
    IndexingShard open = slots.openNow(shard);
    if (open != null && open.engine.isOpen()) {
      open.searched();
    }
  }

  public @Nullable IndexingShard openNow(ShardId shard) {
    return slots.openNow(shard);
  }

  /// A clean stop: uploads everything it can within the time, so that the next start replays
  /// nothing; what it can't is in the log.
  @Override
  public void close() {
    slots.close();
    for (Tasks.Task task : Arrays.asList(ticking, deleting, copying)) {
      if (task != null) {
        task.cancel();
      }
    }
    new CleanStop(node).flush(slots.open());
    for (ShardSlot slot : slots.all()) {
      IndexingShard open = slot.open();
      if (open != null) {
        try {
          slot.opened(null);
          open.close();
        } catch (IOException | RuntimeException e) {
          LOG.warn("a shard did not close cleanly [shard={}]", slot.shard, e);
        }
      }
    }
    node.threads().close();
  }
}
