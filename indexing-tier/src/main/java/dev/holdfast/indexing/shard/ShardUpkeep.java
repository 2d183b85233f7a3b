package dev.holdfast.indexing.shard;

import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.gc.StoredBlobs;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.Pools;
import dev.holdfast.indexing.notice.ShardNotices;
import dev.holdfast.indexing.refresh.Refresher;
import dev.holdfast.indexing.upload.Batches;
import dev.holdfast.indexing.upload.Uploader;
import dev.holdfast.objectstore.budget.Deferrable;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.translog.Log;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What an open shard does in the background, one round at a time: uploads that are due, local
/// files and deletes that may be forgotten, search copies that heard nothing; and, beside the
/// rounds, the deletion of blobs that nobody holds any more, which a store may refuse for long.
final class ShardUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(ShardUpkeep.class);

  /// A search copy that still reads old blobs is asked again after so long without news (§6.1).
  private static final Duration ASK_AGAIN = Duration.ofMinutes(10);

  /// More remembered deletes than this are forgotten as soon as the internal reader shows them.
  private static final int DELETES_REMEMBERED_MAX = 100_000;

  private final World world;
  private final IndexingConfig config;
  private final WorkPool refreshing;
  private final SpendingPace pace;
  private final ShardEngine engine;
  private final Batches batches;
  private final StoredBlobs blobs;
  private final Uploader uploader;
  private final Refresher refresher;
  private final ShardNotices notices;
  private final AtomicBoolean isUnderWay = new AtomicBoolean();
  private final AtomicBoolean isDeleting = new AtomicBoolean();

  /// Since when an upload waits for money; null while none does. Of the ticks.
  private @Nullable Long heldSinceNanos;

  ShardUpkeep(
      World world,
      IndexingConfig config,
      WorkPool refreshing,
      SpendingPace pace,
      ShardEngine engine,
      Batches batches,
      StoredBlobs blobs,
      Uploader uploader,
      Refresher refresher,
      ShardNotices notices) {
    this.world = world;
    this.config = config;
    this.refreshing = refreshing;
    this.pace = pace;
    this.engine = engine;
    this.batches = batches;
    this.blobs = blobs;
    this.uploader = uploader;
    this.refresher = refresher;
    this.notices = notices;
  }

  /// Begins a round when there is something to do; returns at once.
  void tick(long nowNanos) {
    if (blobs.isWorthALook(nowNanos) && isDeleting.compareAndSet(false, true)) {
      var _ = world.tasks().start("blob-deletion", this::deleteBlobs, () -> isDeleting.set(false));
    }
    if (!isUnderWay.compareAndSet(false, true)) {
      return;
    }
    boolean begins = false;
    try {
      boolean uploads = mayUpload(nowNanos);
      begins = uploads || isNeeded(nowNanos);
      if (begins) {
        var _ =
            world.tasks().start("shard-upkeep", () -> round(uploads), () -> isUnderWay.set(false));
      }
    } finally {
      if (!begins) {
        isUnderWay.set(false);
      }
    }
  }

  private boolean isNeeded(long nowNanos) {
    return batches.hasUploaded(nowNanos - config.uploads().noticeMax().toNanos())
        || engine.versions.tombstones() > 0
        || mustAskAgain(nowNanos)
        || engine.reader.isOld(nowNanos)
        || notices.isBehind();
  }

  /// Whether an upload is due, and paid for.
  private boolean mayUpload(long nowNanos) {
    if (!batches.isUploadDue(nowNanos)) {
      heldSinceNanos = null;
      return false;
    }
    long held = heldSinceNanos == null ? 0 : nowNanos - heldSinceNanos;
    boolean isPaid = isPaid(Duration.ofNanos(held));
    heldSinceNanos = isPaid ? null : Long.valueOf(nowNanos - held);
    return isPaid;
  }

  private boolean isPaid(Duration held) {
    if (batches.isTooLargeToWait()) {
      pace.takeAnyway(Deferrable.UPLOAD, held);
      return true;
    }
    return pace.tryTake(Deferrable.UPLOAD, held);
  }

  private boolean mustAskAgain(long nowNanos) {
    return nowNanos - notices.toldNanos() >= ASK_AGAIN.toNanos() && blobs.holdsOld();
  }

  private void round(boolean uploads) throws IOException, InterruptedException {
    try {
      long nowNanos = world.clock().nanoTime();
      if (engine.reader.isOld(nowNanos)) {
        boolean _ = Pools.call(refreshing, () -> engine.reader.showCommitted());
        blobs.changed();
      }
      forgetDeletes(nowNanos);
      if (uploads) {
        uploader.uploadAll();
      }
      uploader.dropLocal(nowNanos - config.uploads().noticeMax().toNanos());
      if (mustAskAgain(nowNanos)) {
        notices.mustTellAgain();
        notices.tell(Duration.ZERO);
        blobs.changed();
      } else if (notices.isBehind() && !refresher.isNeeded()) {
        notices.tell(Duration.ZERO);
      }
    } catch (Log.EvictedException e) {
      engine.fail(e);
    } catch (IOException | RuntimeException e) {
      failed(e);
    } finally {
      isUnderWay.set(false);
    }
  }

  private void deleteBlobs() {
    try {
      blobs.collect();
    } catch (IOException | RuntimeException e) {
      failed(e);
    } finally {
      isDeleting.set(false);
    }
  }

  private void failed(Exception why) {
    if (engine.isOpen()) {
      LOG.warn(
          "upkeep of a shard failed, will be tried again [shard={}, why={}]",
          engine.shard,
          why.toString());
      LOG.debug("upkeep of a shard failed [shard={}]", engine.shard, why);
    }
  }

  private void forgetDeletes(long nowNanos) {
    long shownNanos = engine.reader.reopenBegunNanos();
    long oldNanos = nowNanos - config.deletesRemembered().toNanos();
    boolean isTooMany = engine.versions.tombstones() > DELETES_REMEMBERED_MAX;
    engine.versions.forgetDeletes(
        isTooMany || oldNanos - shownNanos > 0 ? shownNanos : oldNanos, engine.durable.max());
  }
}
