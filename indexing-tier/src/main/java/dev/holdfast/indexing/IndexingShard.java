package dev.holdfast.indexing;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CommitStore;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.translog.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.util.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One open shard on its indexing node: the engine, and what brings its commits to the search tier
/// and into the store.
final class IndexingShard implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexingShard.class);

  /// A search copy that still reads old blobs is asked again after so long without news (§6.1).
  private static final Duration ASK_AGAIN = Duration.ofMinutes(10);

  /// More remembered deletes than this are forgotten as soon as the internal reader shows them.
  private static final int DELETES_REMEMBERED_MAX = 100_000;

  final ShardEngine engine;

  private final NodeParts node;
  private final Path localFolder;
  private final IndexMapping mappings;
  private final ShardNotices notices;
  private final Batches batches;
  private final StoredBlobs blobs;
  private final Uploader uploader;
  private final Refresher refresher;
  private final AtomicBoolean isTidying = new AtomicBoolean();

  /// @param adopted the commit that the engine was opened on
  /// @param localFolder of the engine's directory
  IndexingShard(
      NodeParts node,
      ShardEngine engine,
      IndexMapping mappings,
      CommitStore commits,
      Optional<CompoundCommit> adopted,
      Path localFolder) {
    this.node = node;
    this.localFolder = localFolder;
    this.engine = engine;
    this.mappings = mappings;
    this.notices = new ShardNotices(node.search(), engine.shard, node.world().clock());
    this.batches = new Batches(node, engine, localFolder, adopted);
    this.blobs = new StoredBlobs(node, engine, batches, notices, commits);
    this.uploader = new Uploader(node, engine, batches, commits, notices, blobs);
    this.refresher = new Refresher(node, engine, batches, notices);
  }

  /// Uploads a first commit that points to our log; before that no write may be acknowledged.
  void begin() throws IOException, InterruptedException {
    Committed first = Pools.call(node.refreshing(), () -> engine.commit(true));
    batches.append(first);
    engine.reader.reopen();
    uploader.uploadAll();
    refresher.startsFrom(first.maxSeqNo());
  }

  List<WriteResult> write(List<WriteOperation> operations)
      throws IOException, InterruptedException {
    long bytes = 0;
    for (WriteOperation operation : operations) {
      bytes += operation.length() + 2L * operation.id().length();
    }
    try (InFlightBytes.Admission _ = node.inFlight().admit(bytes)) {
      engine.ensureOpen();
      node.log().requireRoom();
      return new Writing(node, engine, mappings, operations).run();
    } catch (Log.EvictedException e) {
      engine.fail(e);
      throw e;
    }
  }

  RealTimeDocument find(String id) throws IOException {
    return engine.find(id);
  }

  void refresh() throws IOException, InterruptedException {
    refresher.refresh();
  }

  void awaitRefresh() throws IOException, InterruptedException {
    refresher.awaitNext(interval().isEmpty());
  }

  void flush() throws IOException, InterruptedException {
    long startNanos = node.world().clock().nanoTime();
    refresher.refresh();
    uploader.uploadAll();
    engine.counters.flushes.increment();
    engine.counters.flushNanos.add(node.world().clock().nanoTime() - startNanos);
  }

  void forceMerge(int maxSegments, boolean onlyExpungeDeletes)
      throws IOException, InterruptedException {
    engine.ensureOpen();
    if (onlyExpungeDeletes) {
      engine.writer.forceMergeDeletes(true);
    } else if (maxSegments < 1) {
      engine.writer.maybeMerge();
    } else {
      engine.writer.forceMerge(maxSegments, true);
    }
    flush();
  }

  Optional<byte[]> chunk(BlobId blob, long offset, int length) throws IOException {
    return batches.chunk(blob, offset, length);
  }

  Optional<Path> localFile(String file) {
    return batches.localFile(file);
  }

  private Optional<Duration> interval() {
    return RefreshInterval.of(mappings.metadata(), node.config());
  }

  /// Does what is due; returns at once.
  void tick() {
    if (!engine.isOpen()) {
      return;
    }
    long nowNanos = node.world().clock().nanoTime();
    Optional<Duration> interval = interval();
    if (interval.isPresent()
        && nowNanos - refresher.lastBeginNanos() >= interval.get().toNanos()
        && refresher.isNeeded()) {
      refresher.begin();
    }
    if (isTidying.compareAndSet(false, true)) {
      if (isUntidy(nowNanos)) {
        var _ = node.world().tasks().start("shard-upkeep", this::tidy);
      } else {
        isTidying.set(false);
      }
    }
  }

  private boolean isUntidy(long nowNanos) {
    return batches.isUploadDue(nowNanos)
        || batches.hasUploaded(nowNanos - node.config().uploadNoticeMax().toNanos())
        || blobs.isWorthALook(nowNanos)
        || engine.versions.tombstones() > 0
        || mustAskAgain(nowNanos);
  }

  private boolean mustAskAgain(long nowNanos) {
    return nowNanos - notices.toldNanos() >= ASK_AGAIN.toNanos() && blobs.holdsOld();
  }

  private void tidy() throws IOException, InterruptedException {
    try {
      long nowNanos = node.world().clock().nanoTime();
      forgetDeletes(nowNanos);
      if (batches.isUploadDue(nowNanos)) {
        uploader.uploadAll();
      }
      uploader.dropLocal(nowNanos - node.config().uploadNoticeMax().toNanos());
      if (mustAskAgain(nowNanos)) {
        notices.tell();
        blobs.changed();
      }
      blobs.collect();
    } catch (Log.EvictedException e) {
      engine.fail(e);
    } catch (IOException | RuntimeException e) {
      if (engine.isOpen()) {
        LOG.warn("upkeep of a shard failed, will be tried again [shard={}]", engine.shard, e);
      }
    } finally {
      isTidying.set(false);
    }
  }

  private void forgetDeletes(long nowNanos) {
    long shownNanos = engine.reader.reopenBegunNanos();
    long oldNanos = nowNanos - node.config().deletesRemembered().toNanos();
    boolean isTooMany = engine.versions.tombstones() > DELETES_REMEMBERED_MAX;
    engine.versions.forgetDeletes(isTooMany || oldNanos - shownNanos > 0 ? shownNanos : oldNanos);
  }

  ShardStats stats() throws IOException {
    ShardCounters counts = engine.counters;
    DirectoryReader reader = engine.reader.acquire();
    try {
      return new ShardStats(
          reader.numDocs(),
          reader.numDeletedDocs(),
          batches.newestBytes(),
          counts.indexed.sum(),
          millis(counts.indexNanos.sum()),
          counts.indexFailed.sum(),
          counts.versionConflicts.sum(),
          counts.deleted.sum(),
          counts.noopUpdates.sum(),
          counts.refreshes.sum(),
          millis(counts.refreshNanos.sum()),
          counts.flushes.sum(),
          millis(counts.flushNanos.sum()),
          counts.merges.sum(),
          millis(counts.mergeNanos.sum()),
          counts.mergedDocuments.sum(),
          counts.mergedBytes.sum(),
          counts.currentMerges.get(),
          counts.gets.sum(),
          counts.logOperations.get() - counts.logOperationsUploaded.get(),
          counts.logBytes.get() - counts.logBytesUploaded.get(),
          reader.leaves().size(),
          engine.numbers.max(),
          counts.uploads.sum(),
          counts.uploadedBytes.sum());
    } finally {
      reader.decRef();
    }
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }

  /// Lets go of everything; what is not uploaded is in the log.
  @Override
  public void close() throws IOException {
    refresher.close();
    notices.closed();
    IOUtils.close(batches::close, engine::close, () -> IOUtils.rm(localFolder));
  }
}
