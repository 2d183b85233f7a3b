package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ShardId;
import org.jspecify.annotations.Nullable;

/// A shard's place on this node: what the cluster state wants of it, and the shard when it is open.
final class Slot {
  final ShardId shard;

  // Guarded by this.
  private Wanted wanted = Wanted.CLOSED;
  private boolean isWorkedOn;
  private boolean isBuried;

  /// Its primary term was made for this opening: no earlier owner wrote under it.
  private boolean isTermFresh;

  private volatile @Nullable IndexingShard open;
  private volatile boolean wasTried;

  /// What the cluster state says.
  enum Wanted {
    OPEN,
    /// The index is closed: what it holds is uploaded.
    CLOSED,
    /// The index is deleted.
    GONE
  }

  Slot(ShardId shard) {
    this.shard = shard;
  }

  /// Returns whether somebody must begin to work on it: nobody does, and there is something to do.
  synchronized boolean want(Wanted now, boolean isTermFresh) {
    wanted = now;
    this.isTermFresh |= isTermFresh;
    return beginWork();
  }

  synchronized boolean beginWork() {
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
    IndexingShard now = open;
    return switch (wanted) {
      case OPEN -> now == null || !now.engine.isOpen();
      case CLOSED -> now != null;
      case GONE -> !isBuried;
    };
  }

  /// Its index was deleted and nothing is left to do here.
  synchronized void bury() {
    isBuried = true;
  }

  synchronized Wanted wanted() {
    return wanted;
  }

  /// Whether the term in the metadata was made for the opening that begins; true once.
  synchronized boolean takeFreshTerm() {
    boolean fresh = isTermFresh;
    isTermFresh = false;
    return fresh;
  }

  @Nullable IndexingShard open() {
    return open;
  }

  void opened(@Nullable IndexingShard shard) {
    open = shard;
  }

  /// Whether an opening has ended, well or badly.
  boolean wasTried() {
    return wasTried;
  }

  void tried() {
    wasTried = true;
  }
}
