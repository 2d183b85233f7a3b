package dev.holdfast.indexing.relocation;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.mark.MissingObjects;
import dev.holdfast.indexing.node.DiskRoom;
import dev.holdfast.indexing.node.NodeCluster;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.node.NodeStorage;
import dev.holdfast.indexing.recovery.CleanCommit;
import dev.holdfast.indexing.recovery.Inheritance;
import dev.holdfast.indexing.recovery.Recovery;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings shards to where the cluster state wants them: opens, reopens after a failure, closes. One
/// worker a shard; openings of many shards go side by side, within a bound.
final class ShardReconciliation {
  private static final Logger LOG = LoggerFactory.getLogger(ShardReconciliation.class);

  /// Shards that copy what they begin with, which takes its time: before they are opened, so that
  /// others don't wait for them.
  private static final int INHERITING_MAX = 8;

  private static final Duration RETRY_FIRST = Duration.ofMillis(200);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);

  /// To ask a full disk for room costs nothing.
  private static final Duration DISK_POLL = Duration.ofSeconds(1);

  private final NodeParts node;
  private final World world;
  private final NodeStorage storage;
  private final NodeCluster cluster;
  private final LogReplay logs;
  private final Function<ShardId, WriteMapping> mappings;
  private final Consumer<ShardSlot> onGone;
  private final ShardDivision division;
  private final OpeningTurns openings = new OpeningTurns();
  private final Semaphore inheriting = new Semaphore(INHERITING_MAX);
  private final MovePace moves = new MovePace();
  private final Semaphore replayTurn = new Semaphore(1);
  private final MissingObjects losses;
  private volatile boolean isStopped;

  /// @param onGone hears of shards that are closed because their index was deleted, or that have
  ///   another owner
  ShardReconciliation(
      NodeParts node,
      LogReplay logs,
      Function<ShardId, WriteMapping> mappings,
      Consumer<ShardSlot> onGone) {
    this.node = node;
    this.world = node.world();
    this.storage = node.storage();
    this.cluster = node.cluster();
    this.logs = logs;
    this.mappings = mappings;
    this.onGone = onGone;
    this.division = new ShardDivision(node, mappings);
    this.losses = new MissingObjects(world, cluster.metadata(), cluster.ownership());
  }

  /// Starts a worker; the caller has won [ShardSlot#beginWork].
  void start(ShardSlot slot) {
    var _ = world.tasks().start("shard-work", () -> work(slot), slot::stopWork);
  }

  /// A request waits for a shard that is not open.
  void demanded(ShardSlot slot) {
    openings.demanded(slot);
  }

  /// Shards that wait to be opened.
  int waiting() {
    return openings.waiting();
  }

  /// No shard is opened from now on.
  void stop() {
    isStopped = true;
  }

  private void work(ShardSlot slot) throws InterruptedException {
    Duration pause = RETRY_FIRST;
    try {
      do {
        try {
          step(slot);
          losses.none(slot.shard);
          slot.damaged(null);
          slot.failed(null);
          pause = RETRY_FIRST;
        } catch (IOException | RuntimeException | Error e) { // nobody else would try again
          if (isStopped || isEvicted(e)) {
            return;
          }
          slot.damaged(CorruptObjectException.in(e));
          slot.failed(e);
          if (DiskRoom.isFull(e)) {
            awaitDisk(slot, e, pause);
            pause = longer(pause);
            continue;
          }
          losses.failed(slot.shard, e);
          if (isNews(slot) && !isOfStoppingNode(e)) {
            LOG.error(
                "a shard can't be opened or closed, will be tried again [shard={}, after={}]",
                slot.shard,
                pause,
                e);
          } else {
            LOG.debug("a shard goes with its index or its node [shard={}]", slot.shard, e);
          }
          losses.pause(slot.shard, pause);
          pause = longer(pause);
        }
      } while (!isStopped && !slot.endWork());
    } finally {
      if (isStopped) {
        slot.stopWork();
      }
    }
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(RETRY_MAX) < 0 ? twice : RETRY_MAX;
  }

  /// Waits until there is room, and says so meanwhile: what is opened on a full disk fails again.
  ///
  /// @param pause when there is some, which the opening itself may have taken and let go of
  private void awaitDisk(ShardSlot slot, Throwable why, Duration pause)
      throws InterruptedException {
    slot.fullDisk(storage.disk().refusal(slot.shard, String.valueOf(why.getMessage()), why));
    LOG.error(
        "the disk is full, a shard is opened when there is room [shard={}]: {}",
        slot.shard,
        why.getMessage());
    Await.pause(world, storage.disk().isLow() ? DISK_POLL : pause);
    while (!isStopped && slot.wanted() == ShardSlot.Wanted.OPEN && storage.disk().isLow()) {
      Await.pause(world, DISK_POLL);
    }
    slot.fullDisk(null);
  }

  /// Whether a failure is news: not of a deleted index, nor of a shard whose engine went with its
  /// index.
  private boolean isNews(ShardSlot slot) {
    Refusal notOpen = cluster.metadata().current().whyNotOpen(slot.shard);
    IndexingShard open = slot.open();
    return notOpen == null
        || (notOpen.type() == ErrorType.INDEX_CLOSED && open != null && open.engine.isOpen());
  }

  /// Whether it failed because this node, or the leader that it asked, is stopping.
  private static boolean isOfStoppingNode(Throwable why) {
    return why instanceof Refusal refusal && refusal.type() == ErrorType.NODE_CLOSED;
  }

  private void step(ShardSlot slot) throws IOException, InterruptedException {
    IndexingShard open = slot.open();
    switch (slot.wanted()) {
      case OPEN -> {
        if (open != null && !open.engine.isOpen()) {
          if (!isEvicted(open.engine.failure()) && isNews(slot)) {
            LOG.error(
                "a shard failed, opening it anew [shard={}]", slot.shard, open.engine.failure());
          }
          closeNow(slot, open);
          if (isEvicted(open.engine.failure())) {
            return;
          }
        }
        if (open != null && open.engine.primaryTerm != slot.wantedTerm()) {
          closeNow(slot, open);
        }
        open = slot.open();
        if (open != null && slot.takeSleep()) {
          sleep(slot, open);
        } else if (open == null && !slot.isHollow()) {
          open(slot);
        } else if (slot.isSplitDue()) {
          division.divide(slot, open);
        }
      }
      case MOVED -> move(slot, open);
      case CLOSED -> {
        if (open != null) {
          if (open.engine.isOpen()) {
            closeCleanly(slot, open, false);
          } else {
            closeNow(slot, open);
          }
        }
      }
      case LOST, GONE -> {
        if (open != null) {
          closeNow(slot, open); // what is not uploaded is in the log, and the new owner has it
        }
        if (slot.bury()) {
          onGone.accept(slot);
        }
      }
    }
  }

  /// The owner's part of a move (§3.2): writes pause, everything is uploaded, and only then does
  /// the target own the shard.
  private void move(ShardSlot slot, @Nullable IndexingShard open)
      throws IOException, InterruptedException {
    long startNanos = world.clock().nanoTime();
    if (open != null && !moves.awaitTarget(node, slot)) {
      return;
    }
    if (open != null && !open.engine.isOpen()) {
      closeNow(slot, open);
      open(slot);
      open = slot.open();
    } else if (open == null && !slot.isHollow()) {
      open(slot);
      open = slot.open();
    }
    boolean isFinished = open != null && finish(slot, open, false, node.life().pauseMax());
    try {
      if (slot.isHollow()) {
        HandOff.complete(
            cluster.metadata(),
            slot.shard,
            cluster.ownership().nodeEphemeralId(),
            cluster.marking().pending(slot.shard));
      }
    } finally {
      if (open != null && isFinished) {
        open.close(); // the target opens meanwhile: nobody waits for files to be closed and deleted
      }
    }
    if (slot.wanted() == ShardSlot.Wanted.MOVED) {
      Await.pause(world, RETRY_FIRST); // the state will say how it goes on
    } else {
      LOG.info(
          "gave a shard away [shard={}, millis={}]",
          slot.shard,
          (world.clock().nanoTime() - startNanos) / 1_000_000);
    }
  }

  /// An idle shard lets go of everything (hollow shards): the next write finds it in the store.
  private void sleep(ShardSlot slot, IndexingShard open) throws IOException, InterruptedException {
    closeCleanly(slot, open, true);
    if (slot.isHollow()) {
      if (open.isToldToAll()) {
        slot.toldToAll();
      }
      mappings.apply(slot.shard).forget();
      LOG.debug("a shard is hollow now [shard={}]", slot.shard);
    }
  }

  private void closeCleanly(ShardSlot slot, IndexingShard open, boolean tells)
      throws IOException, InterruptedException {
    if (finish(slot, open, tells, node.life().pauseMax())) {
      open.close();
    }
  }

  /// Uploads everything; then nobody finds the shard here any more, and it is to be closed.
  ///
  /// @param pauseMax how long writes under way are waited for, while others wait for them
  static boolean finish(ShardSlot slot, IndexingShard open, boolean tells, Duration pauseMax)
      throws IOException, InterruptedException {
    if (!open.finish(tells, pauseMax)) {
      LOG.warn("writes do not end, a shard stays open for now [shard={}]", slot.shard);
      return false;
    }
    slot.hollow(open.engine.primaryTerm, open.newestBlob(), open.stats());
    slot.opened(null);
    return true;
  }

  private void open(ShardSlot slot) throws IOException, InterruptedException {
    WriteMapping mapping = mappings.apply(slot.shard);
    Inheritance inheritance = copied(slot.shard, mapping);
    openings.acquire(slot);
    try {
      if (!slot.isDemanded() && staysInStore(slot)) {
        return;
      }
      String self = cluster.ownership().nodeEphemeralId();
      // A term under which a blob was lost is not used again: its names may be taken.
      UploadMark mark = UploadMarks.of(cluster.metadata().current(), slot.shard);
      boolean isSpoilt = mark.acceptsLoss() && mark.primaryTerm() >= slot.wantedTerm();
      long term =
          slot.isTermFresh() && !isSpoilt
              ? slot.wantedTerm()
              : HandOff.raiseTerm(cluster.metadata(), slot.shard, self);
      if (!isOwned(slot.shard)) {
        return; // the state will say what is wanted instead
      }
      BlobId known = slot.newestBlob(term);
      slot.using(term);
      Recovery recovery = new Recovery(node, logs, mapping, slot.shard, term, replayTurn);
      IndexingShard open;
      try {
        open = recovery.open(known, inheritance);
      } finally {
        if (!recovery.hasBegun()) {
          slot.notUsed(term); // the next try takes it: a shard that can't be read raises no terms
        }
      }
      slot.opened(open);
      open.tellCopies();
    } finally {
      openings.release();
    }
  }

  /// What nobody waits for and needs no replay is looked at and left where it is.
  private boolean staysInStore(ShardSlot slot) throws IOException {
    CleanCommit clean =
        slot.wanted() == ShardSlot.Wanted.OPEN
            ? CleanCommit.find(
                storage.store(),
                cluster.metadata().current(),
                storage.inputs(),
                storage.scratchFolder(),
                slot.shard)
            : null;
    if (clean == null || !isOwned(slot.shard) || isDividedSince(slot.shard, clean.newest())) {
      return false;
    }
    return slot.staysHollow(clean.newest(), clean.stats());
  }

  /// Whether the shard has given documents away since, which an opening deletes (decision 031).
  private boolean isDividedSince(ShardId shard, BlobId newest) {
    return newest.primaryTerm() < mappings.apply(shard).metadata().dividedSince(shard.number());
  }

  private boolean isOwned(ShardId shard) {
    String owner = cluster.metadata().current().assignment(shard).owner();
    return owner.equals(cluster.ownership().nodeEphemeralId());
  }

  /// What a shard without a commit of its own begins with, copied; null for nothing.
  private @Nullable Inheritance copied(ShardId shard, WriteMapping mapping)
      throws IOException, InterruptedException {
    CommitStore commits = new CommitStore(storage.store(), shard);
    Inheritance inheritance = Inheritance.of(node, shard, mapping, commits);
    if (inheritance == null || commits.hasOwn()) {
      return null;
    }
    inheriting.acquire();
    try {
      if (!isOwned(shard)) {
        return null;
      }
      inheritance.copy();
      return inheritance;
    } finally {
      inheriting.release();
    }
  }

  private static void closeNow(ShardSlot slot, IndexingShard open) throws IOException {
    slot.opened(null);
    open.close();
  }

  private static boolean isEvicted(@Nullable Throwable why) {
    for (Throwable cause = why; cause != null; cause = cause.getCause()) {
      if (cause instanceof Log.EvictedException) {
        return true;
      }
    }
    return false;
  }
}
