package dev.holdfast.indexing.upload;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.batch.VirtualBatch;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.gc.StoredBlobs;
import dev.holdfast.indexing.mark.UploadMarking;
import dev.holdfast.indexing.node.TierMeasures;
import dev.holdfast.indexing.notice.ShardNotices;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.translog.Log;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.World;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.store.AlreadyClosedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Uploads a shard's batches, oldest first, one at a time (§4.1); never before their operations are
/// durable in the log, so that nothing is in the store that a recovery would not number.
public final class Uploader {
  private static final Logger LOG = LoggerFactory.getLogger(Uploader.class);

  private final World world;
  private final Log log;
  private final Metadata metadata;
  private final BlobInputs inputs;
  private final UploadMarking marking;
  private final TierMeasures measures;
  private final ShardEngine engine;
  private final Batches batches;
  private final CommitStore commits;
  private final ShardNotices notices;
  private final StoredBlobs blobs;
  private final ReentrantLock uploading = new ReentrantLock();

  public Uploader(
      World world,
      Log log,
      Metadata metadata,
      BlobInputs inputs,
      UploadMarking marking,
      TierMeasures measures,
      ShardEngine engine,
      Batches batches,
      CommitStore commits,
      ShardNotices notices,
      StoredBlobs blobs) {
    this.world = world;
    this.log = log;
    this.metadata = metadata;
    this.inputs = inputs;
    this.marking = marking;
    this.measures = measures;
    this.engine = engine;
    this.batches = batches;
    this.commits = commits;
    this.notices = notices;
    this.blobs = blobs;
  }

  /// Uploads everything that is in a batch now; nothing when there is nothing.
  ///
  /// @throws Log.EvictedException the shard has failed
  public void uploadAll() throws IOException, InterruptedException {
    uploadAll(true);
  }

  /// The same, and the search tier hears of it later: a copy that does not answer must keep a shard
  /// neither from opening nor from moving.
  public void uploadUntold() throws IOException, InterruptedException {
    uploadAll(false);
  }

  private void uploadAll(boolean tells) throws IOException, InterruptedException {
    long startNanos = world.clock().nanoTime();
    boolean isNews = false;
    uploading.lock();
    try {
      for (Batches.Batch batch : batches.freeze()) {
        engine.ensureOpen();
        upload(batch);
        isNews = true;
      }
    } finally {
      uploading.unlock();
    }
    if (isNews) {
      engine.counters.flushes.increment();
      engine.counters.flushNanos.add(world.clock().nanoTime() - startNanos);
    }
    if (isNews && tells) {
      tell();
    }
  }

  private void upload(Batches.Batch batch) throws IOException, InterruptedException {
    long startNanos = world.clock().nanoTime();
    VirtualBatch.Frozen frozen;
    try {
      log.await(Objects.requireNonNull(batch.ticket));
      frozen = Objects.requireNonNull(batch.frozen);
      commits.upload(frozen);
    } catch (StoreException e) {
      if (CorruptObjectException.in(e) != null) {
        engine.fail(e); // this node's disk: the log has what is lost here
      }
      throw e; // the batch waits, the next tick tries again
    } catch (IOException | RuntimeException e) {
      if (!engine.isOpen()) { // its files went: the shard moved, or its index was deleted
        throw ShardEngine.unavailable(engine.shard, e);
      }
      engine.fail(e);
      throw e;
    }
    CompoundCommit newest = batch.newest();
    BlobId id = batch.virtual.id();
    keep(frozen);
    engine.directory.uploaded(filesOf(batch));
    blobs.uploaded(id, newest);
    batches.uploaded(batch);
    engine.counters.uploads.increment();
    engine.counters.uploadedBytes.add(batch.virtual.bytes());
    measures.uploadBytes().record((double) batch.virtual.bytes());
    measures.uploadSeconds().recordNanos(world.clock().nanoTime() - startNanos);
    engine.counters.logOperationsUploaded.set(batch.logOperations);
    engine.counters.logBytesUploaded.set(batch.logBytes);
    boolean isClean = newest.translog().equals(TranslogPosition.NOTHING_TO_REPLAY);
    marking.uploaded(
        engine.shard,
        marking.mark(id, newest),
        isClean ? Long.MAX_VALUE : newest.translog().ordinal());
    LOG.debug(
        "uploaded [shard={}, blob={}, commits={}, bytes={}, millis={}]",
        engine.shard,
        id,
        batch.virtual.commitCount(),
        batch.virtual.bytes(),
        (world.clock().nanoTime() - startNanos) / 1_000_000);
    notices.durable(newest);
    notices.uploaded(id);
  }

  private void tell() throws InterruptedException {
    long uploadedNanos = world.clock().nanoTime();
    try {
      notices.tell(Duration.ZERO);
      dropLocal(uploadedNanos);
    } catch (IOException | RuntimeException e) {
      // Local files stay until the time is up; the next notice says all again.
      if (isWanted()) {
        LOG.warn(
            "the search tier did not take a notice [shard={}, why={}]", engine.shard, e.toString());
        LOG.debug("the search tier did not take a notice [shard={}]", engine.shard, e);
      }
    }
  }

  private boolean isWanted() {
    ClusterState state = metadata.current();
    return state.whyNotOpen(engine.shard) == null
        && state.primaryTerm(engine.shard) == engine.primaryTerm;
  }

  /// Puts into the cache what was just uploaded (§3.2): its next readers are here.
  private void keep(VirtualBatch.Frozen uploaded) {
    try (InputStream bytes = uploaded.body().open()) {
      inputs.written(commits.blob(uploaded.id()), uploaded.hot(), uploaded.body().length(), bytes);
    } catch (IOException | RuntimeException e) { // it is in the store all the same
      LOG.warn("an uploaded blob was not cached [blob={}]", uploaded.id(), e);
    }
  }

  private static Map<String, FileLocation> filesOf(Batches.Batch batch) {
    Map<String, FileLocation> files = new TreeMap<>();
    for (CompoundCommit commit : batch.virtual.commits()) {
      commit
          .files()
          .forEach((file, place) -> {
            if (place.blob().equals(batch.virtual.id())) {
              files.put(file, place);
            }
          });
    }
    return files;
  }

  /// Lets go of the local files of batches uploaded at or before that time.
  public void dropLocal(long uploadedByNanos) throws IOException {
    List<Batches.Batch> taken = batches.takeUploaded(uploadedByNanos);
    if (taken.isEmpty()) {
      return;
    }
    for (Batches.Batch batch : taken) {
      engine.directory.dropLocal(filesOf(batch).keySet());
      batch.virtual.commits().forEach(commit -> engine.commits.release(commit.generation()));
      batch.virtual.close();
    }
    try {
      engine.writer.deleteUnusedFiles();
    } catch (AlreadyClosedException e) {
      LOG.debug("closed while dropping local files [shard={}]", engine.shard, e);
    }
    blobs.changed();
  }
}
