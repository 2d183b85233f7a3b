package dev.holdfast.indexing.shard;

import dev.holdfast.clusterstate.allocation.ShardLoad;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.engine.Committed;
import dev.holdfast.indexing.engine.ShardCounters;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.gc.BlobRetention;
import dev.holdfast.indexing.gc.StoredBlobs;
import dev.holdfast.indexing.merge.LazyMerges;
import dev.holdfast.indexing.node.InFlightBytes;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.node.Pools;
import dev.holdfast.indexing.node.RefreshAllowance;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.notice.IndexingShardInfo;
import dev.holdfast.indexing.notice.ShardNotices;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.refresh.RefreshInterval;
import dev.holdfast.indexing.refresh.Refresher;
import dev.holdfast.indexing.refresh.ReplayDebt;
import dev.holdfast.indexing.upload.Batches;
import dev.holdfast.indexing.upload.PendingBatch;
import dev.holdfast.indexing.upload.Uploader;
import dev.holdfast.indexing.version.CurrentDocuments;
import dev.holdfast.indexing.write.ForeignWrites;
import dev.holdfast.indexing.write.WriteGate;
import dev.holdfast.indexing.write.WriteLoad;
import dev.holdfast.indexing.write.Writing;
import dev.holdfast.translog.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// One open shard on its indexing node: the engine, and what brings its commits to the search tier
/// and into the store.
public final class IndexingShard implements AutoCloseable {
  public final ShardEngine engine;
  final ReplayDebt replayDebt;

  private final NodeParts node;
  private final Path localFolder;
  private final WriteMapping mappings;
  private final ShardNotices notices;
  private final Batches batches;
  private final StoredBlobs blobs;
  private final Uploader uploader;
  private final Refresher refresher;
  private final ShardUpkeep upkeep;
  private final WriteGate gate;
  private final WriteLoad writeLoad;
  private final ShardSchedule schedule;
  private final ReentrantLock finishing = new ReentrantLock();

  /// Set when the last commit is made: whatever else would be committed is committed already.
  private volatile boolean isFinished;

  private volatile @Nullable LastCommit last;

  /// The cluster state knows that this owner has opened the shard.
  private volatile boolean isMarked;

  /// The first write has come.
  private volatile boolean isMarkExpected;

  private volatile IndexingShardInfo.Opened opened = new IndexingShardInfo.Opened(0, 0, 0);

  /// @param localFolder of the engine's directory
  public IndexingShard(
      NodeParts node,
      ShardEngine engine,
      WriteMapping mappings,
      CommitStore commits,
      LazyMerges merges,
      Path localFolder) {
    this.node = node;
    this.localFolder = localFolder;
    this.engine = engine;
    this.mappings = mappings;
    this.writeLoad = new WriteLoad(node.world().clock().nanoTime());
    ShardWorks works = ShardWorks.of(node, engine, mappings, commits, merges, localFolder);
    this.gate = works.gate();
    this.notices = works.notices();
    this.batches = works.batches();
    this.blobs = works.blobs();
    this.uploader = works.uploader();
    this.refresher = works.refresher();
    this.upkeep = works.upkeep();
    this.schedule = works.schedule();
    this.replayDebt = works.replayDebt();
  }

  /// Uploads a first commit that points to our log; before that no write may be acknowledged.
  ///
  /// @param onUse told before anything leaves the node under the shard's primary term
  public void begin(Runnable onUse) throws IOException, InterruptedException {
    Committed first = Pools.call(node.threads().moving(), () -> engine.commit(true));
    CompoundCommit commit = batches.append(first);
    engine.reader.reopen();
    onUse.run();
    node.log().hurry(); // an upload waits for what other shards have in the log
    uploader.uploadUntold();
    BlobId blob = Objects.requireNonNull(blobs.newestBlob());
    node.cluster().marking().opened(engine.shard, node.cluster().marking().mark(blob, commit));
    engine.shows(first);
    refresher.startsFrom(first.maxSeqNo());
  }

  /// Begins to tell the search copies of the newest commit, and does not wait. Not before the tier
  /// finds this shard: they ask it at once for what is not uploaded.
  public void tellCopies() {
    if (notices.isBehind()) {
      refresher.begin();
    }
  }

  /// Whether it is not about to be closed.
  public boolean takesWrites() {
    return !gate.isShut();
  }

  public List<WriteResult> write(WriteAttempt attempt, List<WriteOperation> operations)
      throws IOException, InterruptedException {
    long bytes = WriteOperation.bytesInFlight(operations);
    if (!gate.enter()) {
      throw ShardNotHere.of(engine.shard);
    }
    try (InFlightBytes.Admission _ = node.budgets().inFlight().admit(bytes)) {
      engine.ensureOpen();
      ForeignWrites.requireNone(mappings.metadata(), engine.shard, operations);
      if (!attempt.origin().isNone()
          && !node.cluster().routers().isMember(attempt.origin().node())) {
        throw ShardNotHere.of(engine.shard); // nobody waits, or this node has not heard of it yet
      }
      node.storage().disk().require(engine.shard);
      node.log().requireRoom();
      if (!isMarkExpected) {
        isMarkExpected = true;
        node.cluster().marking().expectWrite(engine.shard);
      }
      if (!isMarked) {
        node.log().hurry(); // whoever writes first may have waited for the shard to be opened here
      }
      List<WriteResult> results =
          new Writing(
                  node.world(),
                  node.log(),
                  node.cluster().metadata(),
                  node.config(),
                  node.threads().writing(),
                  engine,
                  mappings,
                  attempt,
                  operations)
              .run();
      if (!isMarked) {
        isMarked = node.cluster().marking().await(engine.shard, engine::isOpen);
      }
      return results;
    } catch (Log.EvictedException e) {
      engine.fail(e);
      throw e;
    } finally {
      gate.leave();
    }
  }

  /// The document as of now (real-time get, §4.1), durable.
  ///
  /// @throws dev.holdfast.world.Refusal 503 when it does not become durable in time
  public RealTimeDocument find(String id) throws IOException, InterruptedException {
    CurrentDocuments.Found found = engine.find(id, null);
    long told = found.toldSeqNo();
    if (!engine.durable.has(told)) {
      engine.awaitTellable(id, told, ShardEngine.tellablePatience(engine.durable.waiting()));
    }
    return found.document();
  }

  /// A client asks for it: within the budget at once, beyond it together with others (§4.1).
  public void refresh() throws IOException, InterruptedException {
    RefreshAllowance allowance = node.budgets().manualRefreshes();
    if (allowance == null || !refresher.isNeeded() || allowance.tryTake()) {
      refresher.refresh();
    } else {
      schedule.oweRefresh();
      refresher.awaitNext(false);
    }
  }

  /// A search copy is being searched: what is not searchable becomes so, when nobody else sees to
  /// it.
  public void searched() throws IOException, InterruptedException {
    boolean refreshesByItself = schedule.refreshesByItself();
    notices.searched();
    if (!refreshesByItself && RefreshInterval.isDefault(mappings.metadata())) {
      if (refresher.isNeeded()) {
        refresher.refresh();
      }
    }
  }

  /// Whether every search copy knows the last commit; tells those that do not.
  public boolean isToldToAll() throws IOException, InterruptedException {
    notices.tell(node.life().refreshPatience());
    return !notices.isBehind();
  }

  /// How it was opened, for people.
  public void opened(IndexingShardInfo.Opened how) {
    opened = how;
  }

  public void found(List<BlobId> seen) {
    blobs.found(seen);
  }

  public List<BlobRetention> explain() throws IOException {
    return blobs.explain();
  }

  public List<PendingBatch> pending() {
    return batches.pending();
  }

  public IndexingShardInfo sight() {
    ShardCounters counts = engine.counters;
    List<PendingBatch> pending = batches.pending();
    return new IndexingShardInfo(
        engine.shard,
        engine.isOpen() ? "open" : "failed",
        engine.primaryTerm,
        new IndexingShardInfo.Open(
            notices.newestGeneration(),
            blobs.uploadedGeneration(),
            pending.stream().mapToInt(batch -> batch.commits().size()).sum(),
            pending.stream().mapToLong(PendingBatch::bytes).sum(),
            counts.logOperations.get() - counts.logOperationsUploaded.get(),
            counts.logBytes.get() - counts.logBytesUploaded.get(),
            replayDebt.nanos() / 1_000_000,
            gate.idle().toMillis(),
            writeLoad.threads(),
            batches.newestBytes(),
            opened,
            notices.sights()));
  }

  /// What it costs its node.
  public ShardLoad load() {
    return new ShardLoad(writeLoad.threads(), batches.newestBytes());
  }

  public @Nullable CommitNotice newest(String member) {
    return notices.newest(member);
  }

  /// How long nobody has written.
  public Duration idle() {
    return gate.idle();
  }

  /// The newest in the store; null when this owner uploaded none.
  public @Nullable BlobId newestBlob() {
    return blobs.newestBlob();
  }

  /// Ends writing for good: everything goes into a last commit that needs no replay, and that is
  /// uploaded. Writes wait no longer than it takes to commit what came since a flush: search copies
  /// hear of it from the next owner, or when all is done.
  ///
  /// @param tells whether search copies are told first: when nobody writes, and this node stays the
  ///   owner
  /// @param pauseMax how long writes under way are waited for, while others wait for them
  /// @return false when writes under way did not end in time: nothing has changed
  public boolean finish(boolean tells, Duration pauseMax) throws IOException, InterruptedException {
    finishing.lockInterruptibly(); // a move and a stop may both want it
    try {
      engine.ensureOpen();
      if (!isFinished && !commitLast(pauseMax)) {
        return false;
      }
      if (tells) {
        uploader.uploadAll();
      } else {
        uploader.uploadUntold();
      }
      return true;
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (isFinished) {
        engine.fail(
            e); // a commit that says "nothing to replay" may be in the store: no more writes
      }
      throw e;
    } finally {
      finishing.unlock();
    }
  }

  private boolean commitLast(Duration pauseMax) throws IOException, InterruptedException {
    var _ = refresher.commit();
    uploader.uploadUntold();
    try {
      Optional<CompoundCommit> made =
          refresher.commitLast(
              () -> gate.shut(pauseMax, node.log()::hurry), () -> isFinished = true);
      last = made.map(commit -> new LastCommit(commit, gate.shutNanos())).orElse(null);
      return made.isPresent();
    } finally {
      if (!isFinished) {
        gate.open();
      }
    }
  }

  /// What [#finish] has ended with; null when it has not.
  public @Nullable LastCommit last() {
    return last;
  }

  public void awaitRefresh() throws IOException, InterruptedException {
    refresher.awaitNext(!schedule.refreshesByItself());
  }

  public void flush() throws IOException, InterruptedException {
    long before = engine.counters.flushes.sum();
    refresher.refresh();
    ClosableWork.on(engine, uploader::uploadAll);
    if (engine.counters.flushes.sum() == before) { // somebody asked, though nothing was to do
      engine.counters.flushes.increment();
    }
  }

  /// Uploads the commits that there are.
  public void upload() throws IOException, InterruptedException {
    ClosableWork.on(engine, uploader::uploadAll);
  }

  public void forceMerge(int maxSegments, boolean onlyExpungeDeletes)
      throws IOException, InterruptedException {
    engine.ensureOpen();
    ClosableWork.on(
        engine, () -> ClosableWork.merge(engine.writer, maxSegments, onlyExpungeDeletes));
    flush();
    ClosableWork.on(engine, engine.reader::showCommitted); // and lets go of what was merged
    blobs.changed();
  }

  Optional<byte[]> chunk(BlobId blob, long offset, int length) throws IOException {
    return batches.chunk(blob, offset, length);
  }

  public Optional<Path> localFile(String file) {
    return batches.localFile(file);
  }

  /// Does what is due; returns at once.
  public void tick() {
    if (!engine.isOpen()) {
      return;
    }
    long nowNanos = node.world().clock().nanoTime();
    writeLoad.look(nowNanos, engine.counters.indexNanos.sum());
    if (!isFinished) {
      schedule.look(nowNanos);
      upkeep.tick(nowNanos);
    }
  }

  /// As of the newest commit: figures are worth no reader.
  public ShardStats stats() {
    long bufferBytes = node.budgets().memory().bytes(engine.writer);
    return ShardStats.of(engine, batches.newestBytes(), bufferBytes, writeLoad);
  }

  /// Lets go of everything; what is not uploaded is in the log.
  @Override
  public void close() throws IOException {
    engine.beginClosing();
    refresher.close();
    try {
      IOUtils.close(batches::close, engine::close, () -> IOUtils.rm(localFolder));
    } finally {
      node.cluster().marking().closed(engine.shard, engine.primaryTerm); // none is acknowledged now
    }
  }
}
