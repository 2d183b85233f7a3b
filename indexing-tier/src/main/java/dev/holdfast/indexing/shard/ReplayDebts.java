package dev.holdfast.indexing.shard;

import dev.holdfast.indexing.node.IndexingConfig.Uploads;
import dev.holdfast.indexing.refresh.ReplayDebt;
import dev.holdfast.objectstore.budget.Deferrable;
import dev.holdfast.objectstore.budget.SpendingPace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bounds how long it takes to recover what a node owns, should it die now (§5): the time that its
/// threads have spent on writes that only the log has stays below `uploads.replayMax` for each of
/// its processors, for a like node replays with all of them. Shards with the most to replay are
/// uploaded first.
///
/// A shard alone may owe less than the node: it goes on being written while it is uploaded. So a
/// single shard at full load is uploaded about once in `replayMax`, however many processors there
/// are. When many shards owe a little each, uploads come at most twice as often: more of them would
/// cost more than the replay is worth, and the bound is not kept then; nor is it while there is no
/// money for an upload.
///
/// A shard that is written now and then has little to replay in each of many files of the log,
/// which cost a request each. One that would read more than `uploads.replayFilesMax` is uploaded,
/// too; where there are many such, one of them every [#FILES_PACE], the one that would read most.
public final class ReplayDebts {
  private static final double SHARD_SHARE = 0.75;
  private static final int UPLOADS_IN_REPLAY_MAX = 2;

  /// Where a PUT is charged for, a node writes 25 files meanwhile.
  private static final Duration FILES_PACE = Duration.ofSeconds(5);

  private final double nodeNanosMax;
  private final double shardNanosMax;
  private final long paceNanos;
  private final int filesMax;
  private final SpendingPace pace;
  private long earliestNanos;
  private long earliestForFilesNanos;

  /// Since when an upload waits for money; null while none does.
  private @Nullable Long heldSinceNanos;

  /// @param uploads its `replayMax` is for each processor
  /// @param processors that replay side by side
  public ReplayDebts(Uploads uploads, int processors, SpendingPace pace, long nowNanos) {
    Duration replayMax = uploads.replayMax();
    filesMax = uploads.replayFilesMax();
    nodeNanosMax = (double) replayMax.toNanos() * processors;
    shardNanosMax = SHARD_SHARE * nodeNanosMax;
    paceNanos = replayMax.toNanos() / UPLOADS_IN_REPLAY_MAX;
    this.pace = pace;
    earliestNanos = nowNanos;
    earliestForFilesNanos = nowNanos;
  }

  /// Begins the uploads that are due; returns at once.
  ///
  /// @param ordinal of the log's file that is being filled
  public void look(Collection<IndexingShard> shards, long ordinal, long nowNanos) {
    lookAtTime(shards, nowNanos);
    lookAtFiles(shards, ordinal, nowNanos);
  }

  /// Begins to upload the shards of which a recovery would miss a file, whatever that costs.
  ///
  /// @param lost the newest file of the log that somebody has deleted; -1 for none
  public void lookAtLost(Collection<IndexingShard> shards, long lost) {
    if (lost >= 0) {
      for (IndexingShard shard : shards) {
        if (shard.replayDebt.needs(lost)) {
          shard.replayDebt.pay();
        }
      }
    }
  }

  private void lookAtFiles(Collection<IndexingShard> shards, long ordinal, long nowNanos) {
    if (nowNanos - earliestForFilesNanos < 0) {
      return;
    }
    ReplayDebt most = null;
    long files = filesMax;
    for (IndexingShard shard : shards) {
      long own = shard.replayDebt.files(ordinal);
      if (own > files) {
        files = own;
        most = shard.replayDebt;
      }
    }
    if (most != null && pace.tryTake(Deferrable.UPLOAD, Duration.ZERO)) {
      most.pay();
      earliestForFilesNanos = nowNanos + FILES_PACE.toNanos();
    }
  }

  private void lookAtTime(Collection<IndexingShard> shards, long nowNanos) {
    List<Owed> owed = new ArrayList<>();
    double sum = 0;
    for (IndexingShard shard : shards) {
      ReplayDebt debt = shard.replayDebt;
      long nanos = debt.unpaidNanos();
      sum += nanos;
      if (!debt.isBeingPaid()) {
        owed.add(new Owed(debt, nanos));
      }
    }
    owed.sort(Comparator.comparingLong(Owed::nanos).reversed());
    for (Owed most : owed) {
      boolean isOwnDue = most.nanos >= shardNanosMax;
      boolean isSumDue = sum >= nodeNanosMax && nowNanos - earliestNanos >= 0;
      if (!isOwnDue && !isSumDue) {
        heldSinceNanos = null;
        return;
      }
      long held = heldSinceNanos == null ? 0 : nowNanos - heldSinceNanos;
      if (!pace.tryTake(Deferrable.UPLOAD, Duration.ofNanos(held))) {
        heldSinceNanos = heldSinceNanos == null ? nowNanos : heldSinceNanos;
        return;
      }
      heldSinceNanos = null;
      most.debt.pay();
      sum -= most.nanos;
      earliestNanos = Math.max(earliestNanos, nowNanos) + paceNanos;
    }
  }

  private record Owed(ReplayDebt debt, long nanos) {}
}
