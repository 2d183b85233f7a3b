package dev.holdfast.indexing.relocation;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// A shard's place on this node: what the cluster state wants of it, and the shard when it is open.
public final class ShardSlot {
  public final ShardId shard;

  // Guarded by this.
  private Wanted wanted = Wanted.CLOSED;
  private long wantedTerm;
  private boolean isWorkedOn;
  private boolean isBuried;

  /// The term it was last opened under here, unless it was closed cleanly: it must not be opened
  /// under that term again.
  private long usedTerm;

  /// Closed cleanly: everything is in the store, and the commit needs no replay.
  private boolean isHollow;

  private boolean isSleepDue;

  /// It is to give some of its documents to a new shard.
  private boolean isSplitDue;

  /// Nobody has ever opened it: there is nothing of it in the store.
  private boolean isUntouched;

  /// Every search copy knows the commit that a hollow shard left.
  private boolean isToldToAll;

  private volatile @Nullable IndexingShard open;

  /// Somebody waits for it, or it was in use where it came from.
  private volatile boolean isDemanded;

  /// Somebody waits for what its newest commit is, open or not.
  private volatile boolean isAskedFor;

  private volatile @Nullable CorruptObjectException damage;

  /// Why it can't be opened while the disk is full; null while it is not known to be.
  private volatile @Nullable Refusal fullDisk;

  /// Why it was not opened when that was last tried; null when it was, or never tried.
  private volatile @Nullable String failure;

  /// The newest blob of a hollow shard.
  private @Nullable BlobId newestBlob;

  /// Which a shard that was divided here ended with, and goes on from.
  private @Nullable CompoundCommit lastCommit;

  /// The last counters of a hollow shard.
  private volatile @Nullable ShardStats lastStats;

  /// What the cluster state says.
  public enum Wanted {
    /// This node owns it.
    OPEN,

    /// This node owns it and is to give it away.
    MOVED,

    /// The index is closed: what it holds is uploaded.
    CLOSED,

    /// Another node owns it.
    LOST,

    /// The index is deleted.
    GONE
  }

  ShardSlot(ShardId shard) {
    this.shard = shard;
  }

  /// Returns whether somebody must begin to work on it: nobody does, and there is something to do.
  synchronized boolean want(Wanted now, long term) {
    return want(now, term, false);
  }

  /// The same.
  ///
  /// @param splits whether it is to give some of its documents to a new shard
  synchronized boolean want(Wanted now, long term, boolean splits) {
    wanted = now;
    wantedTerm = Math.max(wantedTerm, term);
    isSplitDue = splits;
    return beginWork();
  }

  synchronized boolean isSplitDue() {
    return isSplitDue;
  }

  /// It is about to give documents to a new shard: that term is over, also when nobody knows what
  /// became of the change that says so. A shard that was not divided is opened under a term that is
  /// raised for it, and a change that comes late finds that.
  synchronized void ending(long term) {
    usedTerm = Math.max(usedTerm, term);
    isToldToAll = false; // what is searchable may be of before
  }

  /// A hollow shard is needed.
  synchronized boolean wake() {
    isHollow = false;
    isDemanded = true;
    return beginWork();
  }

  /// A request waits for it. Returns whether it is the first.
  synchronized boolean demand() {
    boolean isFirst = !isDemanded;
    isDemanded = true;
    return isFirst;
  }

  boolean isDemanded() {
    return isDemanded;
  }

  /// A search waits to hear of its newest commit. Returns whether it is the first.
  synchronized boolean askFor() {
    boolean isFirst = !isAskedFor;
    isAskedFor = true;
    return isFirst;
  }

  /// Whether it has its turn before those that nobody waits for.
  boolean isFirst() {
    return isDemanded || isAskedFor;
  }

  /// Whether it is known where its newest commit is, or that it is opened for somebody.
  boolean isSeen() {
    return open != null || isDemanded || isHollow() || damage != null || failure != null;
  }

  /// An open shard is idle.
  public synchronized boolean sleep() {
    isSleepDue = true;
    return beginWork();
  }

  synchronized boolean takeSleep() {
    boolean due = isSleepDue;
    isSleepDue = false;
    return due;
  }

  public synchronized boolean beginWork() {
    if (isWorkedOn || !hasWork()) {
      return false;
    }
    isWorkedOn = true;
    return true;
  }

  /// Whether the worker may stop; then nobody works on it.
  synchronized boolean endWork() {
    isWorkedOn = hasWork();
    return !isWorkedOn;
  }

  synchronized void stopWork() {
    isWorkedOn = false;
  }

  private boolean hasWork() {
    if (isBuried) {
      return false;
    }
    IndexingShard now = open;
    return switch (wanted) {
      case OPEN ->
          isSplitDue
              || (now == null
                  ? !isHollow
                  : isSleepDue || !now.engine.isOpen() || now.engine.primaryTerm != wantedTerm);
      case MOVED -> true;
      case CLOSED -> now != null;
      case LOST, GONE -> true;
    };
  }

  /// Ends it when it is still not wanted: a shard that comes back gets a new slot, and is never
  /// open in two.
  synchronized boolean bury() {
    isBuried = wanted == Wanted.LOST || wanted == Wanted.GONE;
    return isBuried;
  }

  public synchronized Wanted wanted() {
    return wanted;
  }

  synchronized long wantedTerm() {
    return wantedTerm;
  }

  /// Whether the wanted term may be opened under: nothing was noticed under it that is not in the
  /// store.
  synchronized boolean isTermFresh() {
    return wantedTerm > usedTerm;
  }

  /// The shard is new, and has nothing that would have to be opened: it is hollow before it is
  /// first used.
  synchronized void untouched() {
    isUntouched = true;
    isHollow = true;
    isToldToAll = true;
    lastStats = ShardStats.NONE;
  }

  synchronized boolean isUntouched() {
    return isUntouched;
  }

  synchronized void using(long term) {
    isUntouched = false;
    usedTerm = Math.max(usedTerm, term);
    wantedTerm = Math.max(wantedTerm, term);
    isHollow = false;
  }

  /// An opening under that term failed before anything was written or noticed under it.
  synchronized void notUsed(long term) {
    usedTerm = Math.min(usedTerm, term - 1);
  }

  /// It was closed cleanly under that term.
  ///
  /// @param newest of its blobs in the store; null for one that is not known
  synchronized void hollow(long term, @Nullable BlobId newest, @Nullable ShardStats stats) {
    usedTerm = Math.min(usedTerm, term - 1);
    isHollow = true;
    isToldToAll = false;
    isSleepDue = false;
    isDemanded = false;
    newestBlob = newest;
    lastStats = stats;
  }

  /// It was looked at in the store, where everything of it is, under whatever term; it is opened
  /// under the wanted one. Returns false when somebody waits for it by now.
  synchronized boolean staysHollow(BlobId newest, ShardStats stats) {
    if (isDemanded) {
      return false;
    }
    isHollow = true;
    isSleepDue = false;
    isToldToAll = false;
    newestBlob = newest;
    lastStats = stats;
    return true;
  }

  /// The newest blob of the shard, if it was closed cleanly under that term, which it is opened
  /// under again: nobody else writes under it. Otherwise null.
  synchronized @Nullable BlobId newestBlob(long term) {
    BlobId newest = newestBlob;
    return newest != null && newest.primaryTerm() == term ? newest : null;
  }

  /// It has given documents to a new shard and goes on under the next term, here. That term is of
  /// this node, and so was the one before: nobody has written since.
  ///
  /// @param last what it ended with
  synchronized void divided(CompoundCommit last) {
    lastCommit = last;
  }

  /// What the shard goes on from that was divided here and is opened under the next term; null for
  /// any other.
  synchronized @Nullable CompoundCommit lastCommit(long term) {
    CompoundCommit last = lastCommit;
    lastCommit = null; // what comes of the opening, the next finds in the store
    return last != null && last.primaryTerm() + 1 == term ? last : null;
  }

  synchronized void toldToAll() {
    isToldToAll = true;
  }

  /// Whether nothing can be made searchable that is not.
  public synchronized boolean isAllSearchable() {
    return isHollow && isToldToAll && wanted == Wanted.OPEN;
  }

  /// Counts a flush that had nothing to do, as an open shard does. Returns false, and counts
  /// nothing, when there may be something to do.
  public synchronized boolean flushedAsleep() {
    ShardStats last = lastStats;
    if (!isAllSearchable() || last == null) {
      return false;
    }
    lastStats = last.flushed();
    return true;
  }

  /// In a word, of a shard that is not open.
  synchronized String state() {
    return isHollow ? "hollow" : wanted == Wanted.CLOSED ? "closed" : "opening";
  }

  public synchronized boolean isHollow() {
    return isHollow;
  }

  public @Nullable ShardStats lastStats() {
    return lastStats;
  }

  public @Nullable IndexingShard open() {
    return open;
  }

  public void opened(@Nullable IndexingShard shard) {
    open = shard;
  }

  /// An opening has met damage, and is tried again by and by; null when it is over.
  void damaged(@Nullable CorruptObjectException met) {
    damage = met;
  }

  /// What keeps the shard from being opened; null when nothing does that is known.
  @Nullable CorruptObjectException damage() {
    return damage;
  }

  /// Why it can't be opened for now; null when nothing is known against it.
  @Nullable Refusal fullDisk() {
    return fullDisk;
  }

  void fullDisk(@Nullable Refusal why) {
    fullDisk = why;
  }

  /// It could not be brought to where it is wanted, which is tried again; null when it was.
  void failed(@Nullable Throwable why) {
    failure = why == null ? null : String.valueOf(why.getMessage());
  }

  /// What keeps the shard from being open, for people.
  ///
  /// @param waiting shards of this node that wait to be opened
  String whyNotOpen(int waiting) {
    CorruptObjectException damaged = damage;
    Refusal full = fullDisk;
    String failed = failure;
    if (damaged != null) {
      return String.valueOf(damaged.getMessage());
    }
    if (full != null) {
      return full.reason();
    }
    return failed != null
        ? "it can't be opened and is tried again: " + failed
        : "it is being opened, shards that wait to be: [" + waiting + "]";
  }
}
