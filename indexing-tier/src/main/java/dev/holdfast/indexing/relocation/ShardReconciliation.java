package dev.holdfast.indexing.relocation;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.mark.MissingObjects;
import dev.holdfast.indexing.node.DiskRoom;
import dev.holdfast.indexing.node.NodeCluster;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.node.NodeStorage;
import dev.holdfast.indexing.recovery.LaterTermException;
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
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings shards to where the cluster state wants them: opens, reopens after a failure, closes. One
/// worker a shard; openings of many shards go side by side, within a bound.
final class ShardReconciliation {
  private static final Logger LOG = LoggerFactory.getLogger(ShardReconciliation.class);

  private static final Duration RETRY_FIRST = Duration.ofMillis(200);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);

  /// To ask a full disk for room costs nothing.
  private static final Duration DISK_POLL = Duration.ofSeconds(1);

  private final NodeParts node;
  private final World world;
  private final NodeStorage storage;
  private final NodeCluster cluster;
  private final Function<ShardId, WriteMapping> mappings;
  private final Consumer<ShardSlot> onGone;
  private final ShardDivision division;
  private final ShardOpening opening;
  private final MovePace moves = new MovePace();
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
    this.mappings = mappings;
    this.onGone = onGone;
    this.division = new ShardDivision(node, mappings);
    this.opening = new ShardOpening(node, logs, mappings, division);
    this.losses = new MissingObjects(world, cluster.metadata(), cluster.ownership());
  }

  /// Starts a worker; the caller has won [ShardSlot#beginWork].
  void start(ShardSlot slot) {
    var _ = world.tasks().start("shard-work", () -> work(slot), slot::stopWork);
  }

  /// A request waits for a shard that is not open.
  void demanded(ShardSlot slot) {
    opening.demanded(slot);
  }

  /// Shards that wait to be opened.
  int waiting() {
    return opening.waiting();
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
          if (e instanceof LaterTermException) {
            LOG.info("not opened, will be tried again [after={}]: {}", pause, e.getMessage());
          } else if (isNews(slot) && !isOfStoppingNode(e)) {
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
          opening.open(slot);
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
      opening.open(slot);
      open = slot.open();
    } else if (open == null && !slot.isHollow()) {
      opening.open(slot);
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
