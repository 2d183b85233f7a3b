package dev.holdfast.indexing.refresh;

import dev.holdfast.indexing.engine.Committed;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.upload.Uploader;
import dev.holdfast.translog.Log;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a recovery of a shard would have to do again (§5): the time that threads have spent on its
/// writes since the newest commit that is in the store, or on its way there, and the files of the
/// log that it would read for them. Paid by committing and uploading at once.
public final class ReplayDebt {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayDebt.class);

  private final World world;
  private final ShardEngine engine;
  private final Refresher refresher;
  private final Uploader uploader;
  private final AtomicBoolean isBeingPaid = new AtomicBoolean();

  /// Thread time of writes when the newest payment began.
  private volatile long paidNanos;

  public ReplayDebt(World world, ShardEngine engine, Refresher refresher, Uploader uploader) {
    this.world = world;
    this.engine = engine;
    this.refresher = refresher;
    this.uploader = uploader;
  }

  /// Thread time in nanoseconds; 0 for a shard that gives everything away, or has failed.
  public long nanos() {
    if (!engine.isOpen() || refresher.isLastCommitMade()) {
      return 0;
    }
    return engine.counters.indexNanos.sum() - engine.counters.indexNanosFrozen.get();
  }

  /// Of that, what a payment under way does not cover.
  public long unpaidNanos() {
    long covered = isBeingPaid.get() ? paidNanos : engine.counters.indexNanosFrozen.get();
    return Math.max(0, Math.min(nanos(), engine.counters.indexNanos.sum() - covered));
  }

  /// Files of the log that a recovery would read; 0 when it finds none of the shard's writes there,
  /// or a payment is under way.
  ///
  /// @param ordinal of the file that is being filled
  public long files(long ordinal) {
    return isBeingPaid() || nanos() <= 0
        ? 0
        : Math.max(0, ordinal - engine.counters.logOrdinalFrozen.get());
  }

  /// Whether a recovery would read that file of the log, or one before it, and no payment is under
  /// way.
  public boolean needs(long ordinal) {
    return !isBeingPaid() && nanos() > 0 && engine.counters.logOrdinalFrozen.get() <= ordinal;
  }

  public boolean isBeingPaid() {
    return isBeingPaid.get();
  }

  /// Begins to commit and upload unless that is under way; returns at once.
  public void pay() {
    if (isBeingPaid.compareAndSet(false, true)) {
      paidNanos = engine.counters.indexNanos.sum();
      var _ =
          world.tasks().start("replay-debt", this::commitAndUpload, () -> isBeingPaid.set(false));
    }
  }

  private void commitAndUpload() throws InterruptedException {
    try {
      Committed made = refresher.commit();
      uploader.uploadAll();
      engine.counters.covered(made.indexNanos(), made.logOrdinal());
    } catch (Log.EvictedException e) {
      engine.fail(e);
    } catch (IOException | RuntimeException e) {
      if (engine.isOpen() && !refresher.isLastCommitMade()) {
        LOG.warn("a shard was not uploaded, the next tick tries again [{}]", engine.shard, e);
      }
    } finally {
      isBeingPaid.set(false);
    }
  }
}
