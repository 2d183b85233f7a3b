package dev.holdfast.indexing.relocation;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.node.NodeCluster;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.node.NodeStorage;
import dev.holdfast.indexing.recovery.CleanCommit;
import dev.holdfast.indexing.recovery.Inheritance;
import dev.holdfast.indexing.recovery.Recovery;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.translog.LogReplay;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Opens shards that this node owns, many side by side within a bound. Those that nobody waits for
/// and that need no replay are only looked at. What this node has just put into the store itself,
/// when it divided a shard, is not looked for there.
final class ShardOpening {
  /// Shards that copy what they begin with, which takes its time: before they are opened, so that
  /// others don't wait for them.
  private static final int INHERITING_MAX = 8;

  private final NodeParts node;
  private final NodeStorage storage;
  private final NodeCluster cluster;
  private final LogReplay logs;
  private final Function<ShardId, WriteMapping> mappings;
  private final ShardDivision division;
  private final OpeningTurns turns = new OpeningTurns();
  private final Semaphore inheriting = new Semaphore(INHERITING_MAX);
  private final Semaphore replayTurn = new Semaphore(1);

  ShardOpening(
      NodeParts node,
      LogReplay logs,
      Function<ShardId, WriteMapping> mappings,
      ShardDivision division) {
    this.node = node;
    this.storage = node.storage();
    this.cluster = node.cluster();
    this.logs = logs;
    this.mappings = mappings;
    this.division = division;
  }

  /// A request waits for a shard that is not open.
  void demanded(ShardSlot slot) {
    turns.demanded(slot);
  }

  /// Shards that wait to be opened.
  int waiting() {
    return turns.waiting();
  }

  void open(ShardSlot slot) throws IOException, InterruptedException {
    WriteMapping mapping = mappings.apply(slot.shard);
    Inheritance inheritance = begins(slot, mapping);
    turns.acquire(slot);
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
      Recovery.Known known = new Recovery.Known(slot.lastCommit(term), slot.newestBlob(term));
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
      division.opened(slot.shard, term);
      open.tellCopies();
    } finally {
      turns.release();
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
  private @Nullable Inheritance begins(ShardSlot slot, WriteMapping mapping)
      throws IOException, InterruptedException {
    ShardId shard = slot.shard;
    Inheritance added = slot.isTermFresh() ? division.added(shard, slot.wantedTerm()) : null;
    if (added != null) {
      return added;
    }
    CommitStore commits = new CommitStore(storage.store(), shard);
    Inheritance inheritance = Inheritance.of(node, shard, mapping, commits);
    if (inheritance == null || hasOwn(shard, commits)) {
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

  /// Whether it has a commit of its own. The state knows of one, as a rule: nobody asks the store.
  private boolean hasOwn(ShardId shard, CommitStore commits) throws IOException {
    return UploadMarks.of(cluster.metadata().current(), shard).isMarked() || commits.hasOwn();
  }
}
