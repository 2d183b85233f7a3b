package dev.holdfast.indexing.mark;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.translog.Log;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the cluster state what is in the store (decision 018): the newest blob of each shard of
/// this node, and which files of its log. The log is kept until the state knows of the blob that
/// makes it unneeded, so a blob that the state does not know may be lost: an older one and the log
/// have what it had. One that the state knows is missed.
///
/// All shards of the node go together, at most once in a while. Only the first write that a shard
/// acknowledges after it was opened waits: before its first blob is marked, nobody could prove that
/// this node ever had the shard open.
public final class UploadMarking {
  private static final Logger LOG = LoggerFactory.getLogger(UploadMarking.class);

  /// So many files of the log are worth a change of the state, though no shard was uploaded: the
  /// end of a log that the state does not know can be cut off unseen.
  static final int FILES_MAX = 128;

  private static final Duration WAIT_MAX = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(5);

  /// One may be under way that does not have all.
  private static final int FINISH_TRIES_MAX = 3;

  private final World world;
  private final Log log;
  private final Metadata metadata;
  private final Ownership ownership;
  private final Duration every;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final Map<ShardId, Uploaded> pending = new LinkedHashMap<>();
  private final Map<ShardId, UploadMark> first = new HashMap<>();
  private LogBounds known = new LogBounds(0, -1);
  private long toldNanos;
  private boolean isTelling;
  private boolean isToTellAgain; // a shard was opened meanwhile

  /// @param releaseBelow what the shard needs no more of the log once the state knows of the blob
  private record Uploaded(UploadMark mark, long releaseBelow) {}

  /// @param every how often the state is told of uploads for which nobody waits
  /// @param patience how long a write waits
  public UploadMarking(
      World world,
      Log log,
      Metadata metadata,
      Ownership ownership,
      Duration every,
      Duration patience) {
    this.world = world;
    this.log = log;
    this.metadata = metadata;
    this.ownership = ownership;
    this.every = every;
    this.patience = patience;
    this.toldNanos = world.clock().nanoTime();
  }

  /// A mark of a blob of this node.
  public UploadMark mark(BlobId blob, CompoundCommit newest) {
    return UploadMark.of(
        blob.primaryTerm(),
        blob.generation(),
        newest.maxSeqNo(),
        newest.translog().nodeEphemeralId());
  }

  /// A blob is in the store.
  ///
  /// @param releaseBelow the shard needs no file of the log below this ordinal with that blob
  public void uploaded(ShardId shard, UploadMark mark, long releaseBelow) {
    lock.lock();
    try {
      pending.put(shard, new Uploaded(mark, releaseBelow));
    } finally {
      lock.unlock();
    }
  }

  /// A shard was opened. The state is told at once of one that has been open before, or was added:
  /// who writes to it waits already, or is about to.
  ///
  /// @param mark of its first blob
  public void opened(ShardId shard, UploadMark mark) {
    ClusterState state = metadata.current();
    boolean isAwaited =
        UploadMarks.of(state, shard).isMarked() || OnlineSplit.isAdded(state, shard);
    lock.lock();
    try {
      first.put(shard, mark);
      isToTellAgain |= isAwaited && isTelling; // which may not have this one
    } finally {
      lock.unlock();
    }
    if (isAwaited) {
      begin();
    }
  }

  /// The shard is closed that was open under that term: nobody waits for it, unless it is open
  /// again.
  public void closed(ShardId shard, long term) {
    lock.lock();
    try {
      var _ = first.computeIfPresent(shard, (_, one) -> one.primaryTerm() > term ? one : null);
    } finally {
      lock.unlock();
    }
  }

  /// A first write has come: tells the state of the shard's first blob while the write goes into
  /// the log, so that it waits for the slower of the two only. Not when nothing is in the log yet,
  /// which the state must know of too.
  public void expectWrite(ShardId shard) {
    if (log.bounds(Map.of()).durable() >= 0 && !isMarked(shard, true)) {
      begin();
    }
  }

  /// Returns when a write of a shard may be acknowledged, whose operations are in the log.
  ///
  /// @param isOpen whether the shard still is
  /// @return whether no later write of the shard need wait; false when nothing is in the log yet
  /// @throws Refusal `unavailable_shards_exception` when no leader has taken the mark in time, or
  ///   the shard has failed
  public boolean await(ShardId shard, BooleanSupplier isOpen) throws InterruptedException {
    boolean hasLogged = log.bounds(Map.of()).durable() >= 0;
    long deadlineNanos = world.clock().nanoTime() + patience.toNanos();
    while (!isMarked(shard, hasLogged)) {
      if (world.clock().nanoTime() - deadlineNanos >= 0 || !isOpen.getAsBoolean()) {
        throw untold(shard);
      }
      begin();
      var _ = awaitTold();
      if (!isMarked(shard, hasLogged)) {
        Await.pause(world, PAUSE); // that one had begun before
      }
    }
    if (!isOpen.getAsBoolean()) {
      throw untold(shard); // it was closed meanwhile, and its mark forgotten
    }
    return hasLogged;
  }

  private static Refusal untold(ShardId shard) {
    return new Refusal(
        ErrorType.UNAVAILABLE_SHARDS,
        shard
            + " the cluster state could not be told in time that the shard was opened, retry"
            + " later");
  }

  /// Whether the state knows of the shard's first blob, and of this node's log.
  private boolean isMarked(ShardId shard, boolean hasLogged) {
    lock.lock();
    try {
      return !first.containsKey(shard) && (known.durable() >= 0 || !hasLogged);
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a while, if the state is being told; returns whether it is.
  private boolean awaitTold() throws InterruptedException {
    lock.lock();
    try {
      if (isTelling) {
        world.sleeper().await(lock, changed, WAIT_MAX);
      }
      return isTelling;
    } finally {
      lock.unlock();
    }
  }

  /// Tells the state when that is due; returns at once.
  public void tick(long nowNanos) {
    lock.lock();
    try {
      if (isTelling || nowNanos - toldNanos < every.toNanos()) {
        return;
      }
    } finally {
      lock.unlock();
    }
    if (isWorthTelling()) {
      begin();
    }
  }

  private boolean isWorthTelling() {
    LogBounds now = log.bounds(Map.of());
    lock.lock();
    try {
      return !pending.isEmpty()
          || now.low() > known.low()
          || now.durable() >= known.durable() + FILES_MAX;
    } finally {
      lock.unlock();
    }
  }

  /// Begins to tell the state; returns at once.
  void begin() {
    lock.lock();
    try {
      if (isTelling) {
        return;
      }
      isTelling = true;
      isToTellAgain = false;
      toldNanos = world.clock().nanoTime();
    } finally {
      lock.unlock();
    }
    var _ = world.tasks().start("upload-marks", this::tell, this::ended);
  }

  /// Returns whether it is to be told again.
  private boolean ended() {
    lock.lock();
    try {
      isTelling = false;
      changed.signalAll();
      return isToTellAgain;
    } finally {
      lock.unlock();
    }
  }

  private void tell() throws InterruptedException {
    boolean isMore = false;
    try {
      Map<ShardId, Uploaded> telling = current();
      Map<ShardId, Long> releasing = new HashMap<>();
      telling.forEach((shard, uploaded) -> releasing.put(shard, uploaded.releaseBelow));
      LogBounds bounds = log.bounds(releasing);
      follow(metadata.update("shards were uploaded", state -> told(state, telling, bounds)));
    } catch (RuntimeException e) {
      LOG.warn(
          "the cluster state could not be told of uploads, will be tried again [why={}]",
          e.toString());
      LOG.debug("the cluster state could not be told of uploads", e);
    } finally {
      isMore = ended();
    }
    if (isMore) {
      begin();
    }
  }

  /// Those of terms that are over are forgotten, and nothing is released: this node will upload the
  /// shard under its new term, or whoever owns it now needs the log.
  private Map<ShardId, Uploaded> current() {
    ClusterState state = metadata.current();
    lock.lock();
    try {
      pending
          .entrySet()
          .removeIf(one -> {
            UploadMark mark = one.getValue().mark;
            return mark.primaryTerm() < state.primaryTerm(one.getKey())
                && !UploadMarks.of(state, one.getKey()).covers(mark);
          });
      return new LinkedHashMap<>(pending);
    } finally {
      lock.unlock();
    }
  }

  private ClusterState told(ClusterState state, Map<ShardId, Uploaded> telling, LogBounds bounds) {
    String self = ownership.nodeEphemeralId();
    if (!state.members().containsKey(self)) {
      return state;
    }
    Map<ShardId, UploadMark> newer = new LinkedHashMap<>();
    boolean isAllTaken = true;
    for (Map.Entry<ShardId, Uploaded> one : telling.entrySet()) {
      UploadMark mark = one.getValue().mark;
      long term = state.primaryTerm(one.getKey());
      if (term == mark.primaryTerm()) {
        if (isNewer(state, one.getKey(), mark)) {
          newer.put(one.getKey(), mark);
        }
      } else {
        isAllTaken &= term == 0; // of an index that is gone
      }
    }
    ClusterState after = UploadMarks.with(state, newer);
    LogBounds before = UploadMarks.bounds(state, self);
    long lowBefore = before == null ? 0 : before.low();
    long low = isAllTaken ? Math.max(lowBefore, bounds.low()) : lowBefore;
    long durable = Math.max(before == null ? -1 : before.durable(), bounds.durable());
    return durable < 0 ? after : UploadMarks.with(after, self, new LogBounds(low, durable));
  }

  /// The state with a mark, unless it knows of a newer blob.
  public static ClusterState withMark(ClusterState state, ShardId shard, UploadMark mark) {
    return isNewer(state, shard, mark) ? UploadMarks.with(state, shard, mark) : state;
  }

  private static boolean isNewer(ClusterState state, ShardId shard, UploadMark mark) {
    UploadMark before = UploadMarks.of(state, shard);
    return !before.covers(mark) || !before.lost().isEmpty();
  }

  /// The mark of a blob that the state may not know yet; null when it knows the newest.
  public @Nullable UploadMark pending(ShardId shard) {
    lock.lock();
    try {
      Uploaded uploaded = pending.get(shard);
      return uploaded == null ? null : uploaded.mark;
    } finally {
      lock.unlock();
    }
  }

  /// Lets go of what the state knows is not needed; blocks nowhere: it is called by the state's
  /// thread.
  public void follow(ClusterState state) {
    List<Map.Entry<ShardId, Long>> released = new ArrayList<>();
    LogBounds bounds = UploadMarks.bounds(state, ownership.nodeEphemeralId());
    lock.lock();
    try {
      first.entrySet().removeIf(one -> isKnown(state, one.getKey(), one.getValue()));
      pending
          .entrySet()
          .removeIf(one -> {
            UploadMark mark = UploadMarks.of(state, one.getKey());
            if (!mark.covers(one.getValue().mark)) {
              return false;
            }
            // The first blob of a later owner has all that our log had of the shard.
            boolean isOurs = mark.primaryTerm() == one.getValue().mark.primaryTerm();
            released.add(
                Map.entry(one.getKey(), isOurs ? one.getValue().releaseBelow : Long.MAX_VALUE));
            return true;
          });
      if (bounds != null && bounds.durable() >= known.durable()) {
        known = bounds;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    released.forEach(one -> log.release(one.getKey(), one.getValue()));
    if (bounds != null) {
      log.deletable(bounds.low());
    }
  }

  /// Its mark says so, or that of a later blob of the same owner.
  private static boolean isKnown(ClusterState state, ShardId shard, UploadMark mark) {
    UploadMark known = UploadMarks.of(state, shard);
    return known.covers(mark) && known.primaryTerm() == mark.primaryTerm();
  }

  /// Tells the state all there is; waits a while for it.
  public void finish(Duration max) throws InterruptedException {
    long deadlineNanos = world.clock().nanoTime() + max.toNanos();
    for (int tries = 0; tries < FINISH_TRIES_MAX && isWorthTelling(); tries++) {
      begin();
      boolean isTold = false;
      while (!isTold && world.clock().nanoTime() - deadlineNanos < 0) {
        isTold = !awaitTold();
      }
    }
  }
}
