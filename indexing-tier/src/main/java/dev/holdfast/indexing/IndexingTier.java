package dev.holdfast.indexing;

import dev.holdfast.blobcache.BlobInputs;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Ownership;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The indexing tier of one process (§3): every shard of every open index, opened as the cluster
/// state says, and looked after.
public final class IndexingTier implements IndexingShards, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexingTier.class);
  static final Duration POLL = Duration.ofMillis(10);

  private final NodeParts node;
  private final MappingFactory factory;
  private final ConcurrentHashMap<ShardId, Slot> slots = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<IndexId, IndexMapping> mappings = new ConcurrentHashMap<>();
  private final ShardWork work;
  private final DeletedFolders deletedFolders;
  private Tasks.@Nullable Task ticking;
  private volatile boolean isClosed;

  /// @param store retries for ever by itself
  /// @param ownership whose node the log is of
  /// @param search told of commits by direct calls
  /// @param scratchFolder local files of shards; nothing in it outlives the process
  public IndexingTier(
      World world,
      ObjectStore store,
      Log log,
      Metadata metadata,
      Ownership ownership,
      BlobInputs inputs,
      MappingFactory mappingFactory,
      SearchNotices search,
      IndexingConfig config,
      Path scratchFolder) {
    this.factory = mappingFactory;
    this.node =
        new NodeParts(
            world,
            store,
            log,
            metadata,
            ownership,
            inputs,
            search,
            config,
            world.tasks().pool("write", config.threads(), config.queueMax()),
            world.tasks().pool("refresh", config.threads(), config.queueMax()),
            new InFlightBytes(config.inFlight()),
            new IndexingMemory(config.indexingMemory()),
            new Semaphore(Math.max(1, config.threads() / 2)),
            scratchFolder);
    LogReplay logs = new LogReplay(world, store, ownership.nodeEphemeralId());
    this.work = new ShardWork(node, logs, this::mapping, this::gone);
    this.deletedFolders = new DeletedFolders(node);
  }

  /// Recovers all shards of the current state, side by side, and follows the state from then on.
  /// Returns when each shard is open, or has failed to open once and is being tried again.
  public void start() throws IOException, InterruptedException {
    IOUtils.rm(node.scratchFolder()); // of a process that is dead
    PrimaryTerms.raiseAll(node.metadata());
    ClusterState current = node.metadata().current();
    follow(current, true);
    for (Slot slot : slots.values()) {
      while (slot.wanted() == Slot.Wanted.OPEN && !slot.wasTried()) {
        node.world().sleeper().sleep(POLL);
      }
    }
    node.metadata().listen((before, now) -> follow(now, false));
    ticking = node.world().tasks().repeat("indexing-tick", node.config().tick(), this::tick);
  }

  /// Wants of each slot what the state says; blocks nowhere: it is called by the state's thread.
  private void follow(ClusterState now, boolean isStart) {
    if (isClosed) {
      return;
    }
    for (IndexMetadata index : now.indices().values()) {
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        boolean isNew = !slots.containsKey(shard);
        Slot slot = slots.computeIfAbsent(shard, Slot::new);
        Slot.Wanted wanted = index.isOpen() ? Slot.Wanted.OPEN : Slot.Wanted.CLOSED;
        // A start raised all terms; an index that is seen for the first time while we run is new.
        want(slot, wanted, isNew && index.isOpen() && (isStart || isFirstTerm(index, number)));
      }
    }
    for (Slot slot : slots.values()) {
      IndexMetadata index = now.indices().get(slot.shard.index().name());
      if (index == null || !index.id().equals(slot.shard.index())) {
        want(slot, Slot.Wanted.GONE, false);
      }
    }
  }

  private static boolean isFirstTerm(IndexMetadata index, int number) {
    return index.primaryTerms().get(number) <= 1;
  }

  private void want(Slot slot, Slot.Wanted wanted, boolean isTermFresh) {
    if (slot.want(wanted, isTermFresh)) {
      work.start(slot);
    }
  }

  private void gone(Slot slot) {
    if (slots.remove(slot.shard, slot)) {
      mappings.remove(slot.shard.index());
      node.log().release(slot.shard, Long.MAX_VALUE);
      deletedFolders.add(slot.shard);
    }
  }

  private IndexMapping mapping(ShardId shard) {
    return mappings.computeIfAbsent(
        shard.index(),
        index -> new IndexMapping(node.metadata(), factory, index, node.config().threads()));
  }

  private void tick() throws IOException {
    for (Slot slot : slots.values()) {
      IndexingShard open = slot.open();
      try {
        if (open != null) {
          open.tick();
        }
      } catch (Refusal deletedMeanwhile) {
        LOG.debug("no tick for a deleted index [shard={}]", slot.shard, deletedMeanwhile);
      }
      if (slot.beginWork()) {
        work.start(slot);
      }
    }
    if (deletedFolders.isDue()) {
      deletedFolders.delete();
    }
  }

  @Override
  public List<WriteResult> write(ShardId shard, List<WriteOperation> operations)
      throws IOException, InterruptedException {
    return opened(shard).write(operations);
  }

  @Override
  public void refresh(ShardId shard) throws IOException, InterruptedException {
    opened(shard).refresh();
  }

  @Override
  public void awaitRefresh(ShardId shard) throws IOException, InterruptedException {
    opened(shard).awaitRefresh();
  }

  @Override
  public void flush(ShardId shard) throws IOException, InterruptedException {
    opened(shard).flush();
  }

  @Override
  public void forceMerge(ShardId shard, int maxSegments, boolean onlyExpungeDeletes)
      throws IOException, InterruptedException {
    opened(shard).forceMerge(maxSegments, onlyExpungeDeletes);
  }

  @Override
  public void awaitOpen(ShardId shard) throws InterruptedException {
    IndexingShard _ = opened(shard);
  }

  @Override
  public ShardStats stats(ShardId shard) throws IOException {
    IndexingShard open = openNow(shard);
    if (open == null) {
      throw ShardEngine.unavailable(shard, null);
    }
    return open.stats();
  }

  @Override
  public RealTimeDocument get(ShardId shard, String id) throws IOException {
    try {
      return opened(shard).find(id);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(
          "interrupted while the shard was being opened [shard=" + shard + "]", e);
    }
  }

  @Override
  public Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length)
      throws IOException {
    IndexingShard open = openNow(shard);
    return open == null ? Optional.empty() : open.chunk(blob, offset, length);
  }

  @Override
  public Optional<Path> localFile(ShardId shard, String file) {
    IndexingShard open = openNow(shard);
    return open == null ? Optional.empty() : open.localFile(file);
  }

  @Nullable IndexingShard openNow(ShardId shard) {
    Slot slot = slots.get(shard);
    return slot == null ? null : slot.open();
  }

  /// The open shard; waits a while for one that is being opened.
  private IndexingShard opened(ShardId shard) throws InterruptedException {
    long deadlineNanos = node.world().clock().nanoTime() + node.config().openingMax().toNanos();
    while (true) {
      IndexingShard open = openNow(shard);
      if (open != null && open.engine.isOpen()) {
        return open;
      }
      requireKnown(shard);
      if (isClosed || node.world().clock().nanoTime() - deadlineNanos > 0) {
        throw new Refusal(
            ErrorType.UNAVAILABLE_SHARDS,
            shard + " primary shard is not active Timeout: [" + node.config().openingMax() + "]");
      }
      node.world().sleeper().sleep(POLL);
    }
  }

  private List<IndexingShard> openShards() {
    return slots.values().stream().map(Slot::open).filter(Objects::nonNull).toList();
  }

  private void requireKnown(ShardId shard) {
    IndexMetadata index = node.metadata().current().indices().get(shard.index().name());
    if (index == null || !index.id().equals(shard.index()) || shard.number() >= index.shards()) {
      throw new Refusal(ErrorType.SHARD_NOT_FOUND, "no such shard")
          .with("index_uuid", shard.index().uuid())
          .with("shard", Integer.toString(shard.number()))
          .with("index", shard.index().name());
    }
    if (!index.isOpen()) {
      throw new Refusal(ErrorType.INDEX_CLOSED, "closed")
          .with("index_uuid", shard.index().uuid())
          .with("index", shard.index().name());
    }
  }

  /// A clean stop: uploads everything it can within the time, so that the next start replays
  /// nothing; what it can't is in the log.
  @Override
  public void close() {
    isClosed = true;
    work.stop();
    Tasks.Task tick = ticking;
    if (tick != null) {
      tick.cancel();
    }
    new CleanStop(node).flush(openShards());
    for (Slot slot : slots.values()) {
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
    node.writing().close();
    node.refreshing().close();
  }
}
