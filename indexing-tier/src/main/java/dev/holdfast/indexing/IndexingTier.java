package dev.holdfast.indexing;

import dev.holdfast.blobcache.BlobInputs;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Ownership;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.ShardLoad;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CommitStore;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.SearchMembers;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The indexing tier of one process (§3): every shard of every open index, opened as the cluster
/// state says, and looked after.
public final class IndexingTier implements IndexingShards, SweptShards, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexingTier.class);
  static final Duration POLL = Duration.ofMillis(10);

  /// Chunks that are read for search nodes at once: they bound the memory it takes.
  private static final int CHUNKS_MAX = 32;

  private static final Duration OPENING_POLL = Duration.ofMillis(2);
  private static final int CHUNK_BYTES_MAX = 1 << 20;

  /// How long a chunk waits for its turn.
  private static final Duration CHUNK_WAIT_MAX = Duration.ofSeconds(5);

  private final NodeParts node;
  private final MappingFactory factory;
  private final ConcurrentHashMap<ShardId, Slot> slots = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<IndexId, IndexMapping> mappings = new ConcurrentHashMap<>();
  private final ShardWork work;
  private final DeletedFolders deletedFolders;
  private final HollowGarbage hollowGarbage;
  private final ReplayDebts replayDebts;
  private Tasks.@Nullable Task ticking;
  private volatile boolean isClosed;

  /// Guarded by this.
  private long followedVersion;

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
            life,
            life.manualRefreshes() == null
                ? null
                : new RefreshAllowance(
                    world.clock(), life.manualRefreshes(), Runtime.getRuntime().maxMemory()),
            new Semaphore(CHUNKS_MAX),
            world.tasks().pool("write", config.threads(), config.queueMax()),
            world.tasks().pool("refresh", config.threads(), config.queueMax()),
            new InFlightBytes(config.memory().inFlight()),
            new IndexingMemory(config.memory().buffers()),
            world.tasks().pool("merge", Math.max(1, config.threads() / 2), config.queueMax()),
            new Pins(world, store),
            TierMeasures.begin(),
            scratchFolder);
    LogReplay logs = new LogReplay(world, store, ownership.nodeEphemeralId());
    this.work = new ShardWork(node, logs, this::mapping, this::gone);
    this.deletedFolders = new DeletedFolders(node);
    this.hollowGarbage = new HollowGarbage(node);
    this.replayDebts =
        new ReplayDebts(config.uploads().replayMax(), config.threads(), world.clock().nanoTime());
  }

  /// Opens the shards that the current state gives this node, side by side, and follows the state
  /// from then on. Returns when each is open, or has failed to open once and is being tried again.
  public void start() throws IOException, InterruptedException {
    IOUtils.rm(node.scratchFolder()); // of a process that is dead
    node.metadata().listen((before, now) -> follow(now));
    for (Slot slot : slots.values()) {
      while (slot.wanted() == Slot.Wanted.OPEN && !slot.wasTried()) {
        node.world().sleeper().sleep(POLL);
      }
    }
    ticking = node.world().tasks().repeat("indexing-tick", node.config().tick(), this::tick);
  }

  /// Wants of each slot what the state says; blocks nowhere: it is called by the state's thread.
  private synchronized void follow(ClusterState now) {
    if (isClosed || now.version() < followedVersion) {
      return;
    }
    followedVersion = now.version();
    String self = node.ownership().nodeEphemeralId();
    String caretaker = caretaker(now);
    for (IndexMetadata index : now.indices().values()) {
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        ShardAssignment assignment = now.assignment(shard);
        boolean isOurs =
            assignment.owner().equals(self)
                || (!index.isOpen() && assignment.owner().isEmpty() && caretaker.equals(self));
        Slot slot = isOurs ? slots.computeIfAbsent(shard, Slot::new) : slots.get(shard);
        if (slot != null) {
          want(slot, wanted(index, assignment, self), index.primaryTerms().get(number));
        }
      }
    }
    for (Slot slot : slots.values()) {
      IndexMetadata index = now.indices().get(slot.shard.index().name());
      if (index == null || !index.id().equals(slot.shard.index())) {
        want(slot, Slot.Wanted.GONE, 0);
      }
    }
  }

  /// The member that deletes what is left of closed indices, which nobody owns.
  private static String caretaker(ClusterState now) {
    return now.members().values().stream()
        .filter(member -> member.roles().contains(Role.INDEX))
        .map(Member::id)
        .findFirst()
        .orElse("");
  }

  private static Slot.Wanted wanted(IndexMetadata index, ShardAssignment assignment, String self) {
    if (!index.isOpen()) {
      return Slot.Wanted.CLOSED;
    }
    if (!assignment.owner().equals(self)) {
      return Slot.Wanted.LOST;
    }
    return assignment.target().isEmpty() ? Slot.Wanted.OPEN : Slot.Wanted.MOVED;
  }

  private void want(Slot slot, Slot.Wanted wanted, long term) {
    if (slot.want(wanted, term)) {
      work.start(slot);
    }
  }

  private void gone(Slot slot) {
    if (slots.remove(slot.shard, slot)) {
      hollowGarbage.forget(slot.shard);
      if (slots.keySet().stream().noneMatch(s -> s.index().equals(slot.shard.index()))) {
        mappings.remove(slot.shard.index());
      }
      if (slot.wanted() == Slot.Wanted.GONE) {
        node.log().release(slot.shard, Long.MAX_VALUE);
        deletedFolders.add(slot.shard);
      } else {
        follow(node.metadata().current()); // it may have come back while it was being closed
      }
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
          if (open.idle().compareTo(node.life().hollowAfter()) >= 0 && slot.sleep()) {
            work.start(slot);
          }
        }
      } catch (Refusal deletedMeanwhile) {
        LOG.debug("no tick for a deleted index [shard={}]", slot.shard, deletedMeanwhile);
      }
      if (slot.beginWork()) {
        work.start(slot);
      }
    }
    replayDebts.look(openShards(), node.world().clock().nanoTime());
    if (deletedFolders.isDue()) {
      deletedFolders.delete();
    }
  }

  @Override
  public List<WriteResult> write(ShardId shard, List<WriteOperation> operations)
      throws IOException, InterruptedException {
    return forWrites(shard).write(operations);
  }

  @Override
  public void refresh(ShardId shard) throws IOException, InterruptedException {
    requireServing(shard);
    if (!isAllSearchable(shard)) {
      opened(shard).refresh();
    }
  }

  @Override
  public void awaitRefresh(ShardId shard) throws IOException, InterruptedException {
    requireServing(shard);
    if (!isAllSearchable(shard)) {
      opened(shard).awaitRefresh();
    }
  }

  @Override
  public void flush(ShardId shard) throws IOException, InterruptedException {
    if (!isAllSearchable(shard)) {
      opened(shard).flush();
    }
  }

  @Override
  public void upload(ShardId shard) throws IOException, InterruptedException {
    if (!isAllSearchable(shard)) {
      opened(shard).upload();
    }
  }

  @Override
  public void forceMerge(ShardId shard, int maxSegments, boolean onlyExpungeDeletes)
      throws IOException, InterruptedException {
    opened(shard).forceMerge(maxSegments, onlyExpungeDeletes);
  }

  private boolean isAllSearchable(ShardId shard) {
    Slot slot = slots.get(shard);
    return slot != null && slot.isAllSearchable();
  }

  @Override
  public void awaitOpen(ShardId shard) throws InterruptedException {
    Slot slot = slots.get(shard);
    if (slot == null || !slot.isHollow()) {
      IndexingShard _ = opened(shard);
    }
  }

  @Override
  public int found(ShardId shard, List<BlobId> blobs) throws IOException {
    Slot slot = slots.get(shard);
    if (slot == null) {
      throw Elsewhere.of(shard);
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
    return slots.values().stream()
        .filter(slot -> slot.open() != null || slot.isHollow())
        .map(slot -> slot.shard)
        .toList();
  }

  /// Why the blobs of a shard are still in the store.
  ///
  /// @throws Refusal when the shard is not here
  public List<BlobFate> explain(ShardId shard) throws IOException {
    Slot slot = slots.get(shard);
    if (slot == null) {
      throw Elsewhere.of(shard);
    }
    IndexingShard open = slot.open();
    return open == null ? hollowGarbage.explain(shard) : open.explain();
  }

  /// Every shard that this node owns.
  public List<ShardSight> sights() {
    List<ShardSight> sights = new ArrayList<>();
    for (Slot slot : slots.values()) {
      IndexingShard open = slot.open();
      sights.add(
          open == null
              ? new ShardSight(slot.shard, slot.state(), slot.wantedTerm(), null)
              : open.sight());
    }
    return sights;
  }

  /// What the shards of this node cost it.
  public Map<ShardId, ShardLoad> loads() {
    Map<ShardId, ShardLoad> loads = new HashMap<>();
    for (Slot slot : slots.values()) {
      IndexingShard open = slot.open();
      ShardStats last = slot.lastStats();
      if (open != null) {
        loads.put(slot.shard, open.load());
      } else if (last != null && slot.isHollow()) {
        loads.put(slot.shard, new ShardLoad(0, last.storeBytes()));
      }
    }
    return loads;
  }

  /// Batches of a shard that are not in the store.
  public List<PendingBatch> pending(ShardId shard) {
    IndexingShard open = openNow(shard);
    return open == null ? List.of() : open.pending();
  }

  public TierMeasures measures() {
    return node.measures();
  }

  /// Shards that this node owns and has neither memory nor disk for.
  public int hollowShards() {
    return (int) slots.values().stream().filter(Slot::isHollow).count();
  }

  /// Shards that are open here.
  public int openShardCount() {
    return openShards().size();
  }

  @Override
  public ShardStats stats(ShardId shard) throws IOException {
    Slot slot = slots.get(shard);
    if (slot == null) {
      throw Elsewhere.of(shard);
    }
    IndexingShard open = slot.open();
    ShardStats last = slot.isHollow() ? slot.lastStats() : null;
    if (open == null && last == null) {
      throw ShardEngine.unavailable(shard, null);
    }
    return open == null ? Objects.requireNonNull(last) : open.stats();
  }

  @Override
  public RealTimeDocument get(ShardId shard, String id) throws IOException {
    requireServing(shard);
    try {
      return opened(shard).find(id);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(
          "interrupted while the shard was being opened [shard=" + shard + "]", e);
    }
  }

  /// A shard whose node is cut off may have another owner by now, who has taken newer writes.
  private void requireServing(ShardId shard) {
    if (!node.ownership().mayServe()) {
      throw ShardEngine.unavailable(shard, null);
    }
  }

  @Override
  public Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length)
      throws IOException {
    IndexingShard open = openNow(shard);
    if (open == null) {
      return Optional.empty();
    }
    try {
      if (!node.chunks().tryAcquire(CHUNK_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new Refusal(
            ErrorType.REJECTED_EXECUTION,
            "too many chunks are being read [max=" + CHUNKS_MAX + "]");
      }
      try {
        return open.chunk(blob, offset, Math.min(length, CHUNK_BYTES_MAX));
      } finally {
        node.chunks().release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a chunk waited for its turn");
    }
  }

  @Override
  public Optional<Path> localFile(ShardId shard, String file) {
    IndexingShard open = openNow(shard);
    return open == null ? Optional.empty() : open.localFile(file);
  }

  @Override
  public CommitNotice newest(ShardId shard, String member, long stateVersion)
      throws IOException, InterruptedException {
    awaitState(shard, stateVersion);
    Slot slot = slots.get(shard);
    if (slot != null && slot.isHollow() && slot.wanted() == Slot.Wanted.OPEN) {
      // Everything is in the store, and the newest commit there is the newest there is.
      CompoundCommit newest =
          new CommitStore(node.store(), shard).newest().orElseThrow(() -> Elsewhere.of(shard));
      if (slot.isHollow() && slots.get(shard) == slot) {
        return new CommitNotice(
            shard, newest, Optional.of(newest.home()), node.metadata().current().version());
      }
    }
    CommitNotice newest = opened(shard).newest(member);
    if (newest == null) {
      throw ShardEngine.unavailable(shard, null);
    }
    return newest;
  }

  private void awaitState(ShardId shard, long stateVersion) throws InterruptedException {
    long deadlineNanos = node.world().clock().nanoTime() + node.config().openingMax().toNanos();
    while (node.metadata().current().version() < stateVersion) {
      if (isClosed || node.world().clock().nanoTime() - deadlineNanos > 0) {
        throw Elsewhere.of(shard);
      }
      node.world().sleeper().sleep(POLL);
    }
  }

  @Override
  public void searched(ShardId shard) throws IOException, InterruptedException {
    Slot slot = slots.get(shard);
    if (slot == null || !slot.isHollow()) {
      opened(shard).searched();
    }
  }

  @Nullable IndexingShard openNow(ShardId shard) {
    Slot slot = slots.get(shard);
    return slot == null ? null : slot.open();
  }

  /// The open shard; waits a while for one that is being opened, and wakes a hollow one.
  private IndexingShard opened(ShardId shard) throws InterruptedException {
    long deadlineNanos = node.world().clock().nanoTime() + node.config().openingMax().toNanos();
    while (true) {
      Slot slot = slots.get(shard);
      IndexingShard open = slot == null ? null : slot.open();
      if (open != null && open.engine.isOpen()) {
        return open;
      }
      requireKnown(shard);
      if (!isOurs(shard)) {
        throw Elsewhere.of(shard);
      }
      if (slot != null && slot.isHollow() && slot.wake()) {
        work.start(slot);
      }
      if (isClosed || node.world().clock().nanoTime() - deadlineNanos > 0) {
        throw new Refusal(
            ErrorType.UNAVAILABLE_SHARDS,
            shard + " primary shard is not active Timeout: [" + node.config().openingMax() + "]");
      }
      node.world().sleeper().sleep(OPENING_POLL);
    }
  }

  /// The open shard; one that is closing and stays ours is waited for until it is open again.
  private IndexingShard forWrites(ShardId shard) throws InterruptedException {
    long deadlineNanos = node.world().clock().nanoTime() + node.config().openingMax().toNanos();
    while (true) {
      IndexingShard open = opened(shard);
      boolean isLate = node.world().clock().nanoTime() - deadlineNanos > 0;
      if (open.takesWrites() || isLate || !isOurs(shard)) {
        return open;
      }
      node.world().sleeper().sleep(OPENING_POLL);
    }
  }

  private boolean isOurs(ShardId shard) {
    ShardAssignment now = node.metadata().current().assignment(shard);
    return now.owner().equals(node.ownership().nodeEphemeralId()) && now.target().isEmpty();
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
    node.merging().close();
  }
}
