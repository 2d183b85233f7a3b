package dev.holdfast.indexing.relocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.ShardLayout;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.mark.UploadMarking;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.recovery.Inheritance;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.indexing.shard.LastCommit;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.concurrent.Begun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The owner's part of a split of an index that is written to (decision 031): a shard gives some of
/// its documents to a new one. The store copies what the new shard begins with while writes go on;
/// then writes pause as for a move, everything is uploaded and copied, and one change of the state
/// adds the shard. Both are opened after that, and delete what is the other's.
///
/// Until that change nothing is seen by anybody, and everything can be done again by whoever owns
/// the shard. Nobody knows, perhaps, whether it was made: then the shard is opened under a term
/// that is raised for it, which is the state's answer, and ends what may still be under way.
final class ShardDivision {
  private static final Logger LOG = LoggerFactory.getLogger(ShardDivision.class);
  private static final Duration PAUSE = Duration.ofMillis(200);

  /// What a division that could not be prepared counts for, as if writes had waited so long.
  private static final Duration UNPREPARED = Duration.ofSeconds(1);

  /// How soon it is seen that the change was made.
  private static final Duration POLL = Duration.ofMillis(2);

  private final NodeParts node;
  private final Function<ShardId, WriteMapping> mappings;
  private final DivisionPace pace;

  /// Shards that were divided and are not open again.
  private final Map<ShardId, Pause> pauses = new ConcurrentHashMap<>();

  /// Shards that were added and are not open yet.
  private final Map<ShardId, Added> added = new ConcurrentHashMap<>();

  /// @param shutNanos since when writes wait
  /// @param term under which the shard goes on
  private record Pause(long shutNanos, long term) {}

  private record Added(IndexSplit.Part part, Inheritance begins) {}

  ShardDivision(NodeParts node, Function<ShardId, WriteMapping> mappings) {
    this.node = node;
    this.mappings = mappings;
    this.pace = new DivisionPace(node.world().clock(), node.life().divisionPace());
  }

  /// Divides a shard that is due. It is not open afterwards, and has to be opened.
  ///
  /// @param open null for one that nobody has opened yet; any other is opened first
  void divide(ShardSlot slot, @Nullable IndexingShard open)
      throws IOException, InterruptedException {
    IndexMetadata index = mappings.apply(slot.shard).metadata();
    IndexSplit split = index.split();
    int number = index.shards();
    long term = index.primaryTerms().get(slot.shard.number());
    boolean isCurrent = open == null || open.engine.primaryTerm == term;
    if (split == null
        || !isCurrent
        || !OnlineSplit.isNextSource(index, slot.shard.number())
        || isTooSoon(index.id(), split, number)) {
      Await.pause(node.world(), PAUSE); // the state, or the clock, will say how it goes on
      return;
    }
    if (open == null && !slot.isUntouched()) {
      boolean _ = slot.wake(); // by this worker: it may be written to while its blobs are copied
      return;
    }
    ShardId target = new ShardId(index.id(), number);
    Inheritance prepared;
    try {
      prepared = open == null ? null : prepared(slot, target, split, open);
    } catch (IOException | Refusal e) {
      // Not as a shard that can't be opened: it takes writes meanwhile, or is to wake for them.
      notDivided(slot, e);
      pace.gaveUp(index.id(), number, UNPREPARED.toNanos());
      Await.pause(node.world(), PAUSE);
      return;
    }
    Duration shutMax = pace.shutMax(index.id(), node.life().pauseMax());
    if (!isWanted(slot)) {
      return;
    }
    if (open != null && !ShardReconciliation.finish(slot, open, false, shutMax)) {
      pace.gaveUp(index.id(), number, shutMax.toNanos());
      return;
    }
    LastCommit last = open == null ? null : Objects.requireNonNull(open.last());
    boolean isDivided = false;
    try {
      if (prepared != null && last != null) {
        copyLast(slot, prepared, last.commit(), shutMax);
      }
      isDivided = add(slot, target, term, prepared, last);
    } catch (IOException | Refusal e) {
      notDivided(slot, e); // and it is opened at once: writes wait
    } finally {
      boolean _ = slot.wake(); // both paths go on with an opening, by this worker
      if (open != null && isDivided) {
        closeApart(open);
      } else if (open != null) {
        open.close(); // it goes on under the same term, and so in the same folder
      }
    }
    long nowNanos = node.world().clock().nanoTime();
    long shutNanos = last == null ? nowNanos : last.shutNanos();
    if (last != null && isDivided) {
      pauses.put(slot.shard, new Pause(last.shutNanos(), term + 1));
    } else if (!isDivided) {
      pace.gaveUp(index.id(), number, nowNanos - shutNanos);
    }
    if (isDivided && !split.isUnderWay(number + 1)) {
      pace.done(index.id(), number + 1);
    }
    LOG.info(
        "gave documents to a new shard [shard={}, new={}, is_done={}, millis={}]",
        slot.shard,
        target,
        isDivided,
        (nowNanos - shutNanos) / 1_000_000);
  }

  /// A shard is open that may have been divided: writes to it go on. Those of one that has been
  /// elsewhere meanwhile went on there.
  void opened(ShardId shard, long term) {
    Pause pause = pauses.remove(shard);
    if (pause != null && pause.term == term) {
      long nanos = node.world().clock().nanoTime() - pause.shutNanos;
      pace.took(shard.index(), nanos);
      LOG.info("a shard that was divided is open [shard={}, pause={}]", shard, nanos / 1_000_000);
    }
  }

  /// What a shard begins with that this node has just added to its index; null for any other, and
  /// for one that was opened since.
  ///
  /// @param term under which it is to be opened
  @Nullable Inheritance added(ShardId shard, long term) {
    Added one = added.remove(shard);
    return one != null && one.part.primaryTerm() == term && isAdded(one.part, shard)
        ? one.begins
        : null;
  }

  /// Whether that is how the state says that the shard was added.
  private boolean isAdded(IndexSplit.Part part, ShardId shard) {
    IndexMetadata index = index(shard);
    IndexSplit split = index == null ? null : index.split();
    return split != null && part.equals(split.part(shard.number()));
  }

  private @Nullable IndexMetadata index(ShardId shard) {
    IndexMetadata index = node.cluster().metadata().current().indices().get(shard.index().name());
    return index == null || !index.id().equals(shard.index()) ? null : index;
  }

  /// Nobody waits until its merges have ended and its files are deleted.
  private void closeApart(IndexingShard open) {
    var _ =
        node.world()
            .tasks()
            .start(
                "close-divided",
                () -> {
                  try {
                    open.close();
                  } catch (IOException | RuntimeException e) {
                    LOG.warn(
                        "a shard that was divided did not close cleanly [shard={}]",
                        open.engine.shard,
                        e);
                  }
                });
  }

  /// A node that was evicted finds that out when it uses its log next, and opens nothing.
  private static void notDivided(ShardSlot slot, Exception why) {
    boolean isNews = isWanted(slot); // else it goes with its index, or the split was given up
    LOG.atLevel(isNews ? Level.WARN : Level.DEBUG)
        .setCause(why)
        .log("a shard was not divided, will be tried again [shard={}]", slot.shard);
  }

  /// Whether the shard is still to be divided here, as far as this node knows.
  private static boolean isWanted(ShardSlot slot) {
    return slot.wanted() == ShardSlot.Wanted.OPEN && slot.isSplitDue();
  }

  private boolean isTooSoon(IndexId index, IndexSplit split, int shards) {
    return (shards > split.from() || pace.knows(index)) && pace.isTooSoon(index, shards);
  }

  /// What the new shard will begin with, copied as far as it is in the store, while writes go on.
  private Inheritance prepared(ShardSlot slot, ShardId target, IndexSplit split, IndexingShard open)
      throws IOException, InterruptedException {
    CommitStore commits = new CommitStore(node.storage().store(), target);
    if (commits.hasOwn()) {
      throw new IOException(
          "a shard that is to be added has commits already [shard=" + target + "]");
    }
    BooleanSupplier isGivenUp = () -> !isWanted(slot) || !open.engine.isOpen();
    Inheritance prepared =
        Inheritance.added(node, target, mappings.apply(slot.shard), split, commits)
            .unless(isGivenUp);
    copy(slot, prepared::copy, isGivenUp);
    open.flush();
    copy(slot, prepared::copy, isGivenUp);
    ShardLayout layout = new ShardLayout(target.number() + 1, split.from(), split.to());
    Path folder =
        node.storage()
            .scratchFolder()
            .resolve(target.index().uuid())
            .resolve(target.number() + "-division");
    try {
      boolean _ =
          StopSignal.of(isGivenUp, node.world().clock())
              .<Boolean, IOException>during(() -> {
                prepared.warm(layout, node.storage().inputs(), folder);
                return true;
              });
    } catch (IOException | RuntimeException e) {
      LOG.debug("a shard will be added without being warmed [shard={}]", target, e);
    }
    // A leader that is gone would be waited for while writes wait.
    ClusterState _ =
        node.cluster().metadata().update("shard " + slot.shard + " will be divided", s -> s);
    return prepared;
  }

  /// Copies what the last commit of the shard needs. Writes wait: what takes longer than they may
  /// is tried again later.
  private void copyLast(ShardSlot slot, Inheritance prepared, CompoundCommit last, Duration max)
      throws IOException, InterruptedException {
    long beginNanos = node.world().clock().nanoTime();
    copy(
        slot,
        () -> prepared.copyLast(last),
        () -> !isWanted(slot) || node.world().clock().nanoTime() - beginNanos > max.toNanos());
  }

  /// Asks the store for copies.
  @FunctionalInterface
  private interface Copying {
    void copy() throws IOException, InterruptedException;
  }

  /// Copies until that is given up: a store may refuse copies for long, and the shard must be
  /// closed or given away meanwhile when it is to.
  private void copy(ShardSlot slot, Copying copies, BooleanSupplier isGivenUp)
      throws IOException, InterruptedException {
    Begun<Boolean> copying =
        Begun.of(
            node.world(),
            "copy-shard",
            () -> {
              copies.copy();
              return true;
            });
    try {
      while (true) {
        try {
          boolean _ = copying.value(PAUSE);
          return;
        } catch (TimeoutException _) {
          if (isGivenUp.getAsBoolean()) {
            copying.cancel();
          }
        } catch (ExecutionException e) {
          throw failure(slot, e);
        }
      }
    } finally {
      copying.cancel(); // it is over, unless this thread was interrupted
    }
  }

  private static IOException failure(ShardSlot slot, ExecutionException e) {
    if (e.getCause() instanceof Refusal refusal) {
      throw refusal;
    }
    return new IOException("a shard was not divided [shard=" + slot.shard + "]", e.getCause());
  }

  /// The change of the state. What became of it is not known when this throws.
  ///
  /// @param term that the shard was open under, or would have been
  /// @param begins what the new shard does with; null for nothing
  /// @param last what the shard ended with; null when it was not open
  private boolean add(
      ShardSlot slot,
      ShardId target,
      long term,
      @Nullable Inheritance begins,
      @Nullable LastCommit last)
      throws IOException, InterruptedException {
    int number = target.number();
    BlobId home = begins == null ? null : begins.home();
    String self = node.cluster().ownership().nodeEphemeralId();
    UploadMark mark = node.cluster().marking().pending(slot.shard);
    IndexSplit.Part part =
        new IndexSplit.Part(
            slot.shard.number(),
            term + 1,
            home == null ? 0 : home.primaryTerm(),
            home == null ? 0 : home.generation());
    slot.ending(term);
    added.keySet().removeIf(shard -> index(shard) == null); // what was never opened here
    pauses.keySet().removeIf(shard -> index(shard) == null);
    if (begins != null) {
      added.put(target, new Added(part, begins)); // it is opened as soon as the state has it
    }
    Begun<ClusterState> change =
        Begun.of(
            node.world(),
            "divide-shard",
            () ->
                node.cluster()
                    .metadata()
                    .update(
                        "shard " + slot.shard + " is divided",
                        state -> divided(state, slot.shard, number, self, part, mark)));
    awaitHere(change, slot, term);
    boolean isDone = isAdded(part, target);
    if (isDone && last != null) {
      slot.divided(last.commit());
    }
    return isDone;
  }

  private static ClusterState divided(
      ClusterState state,
      ShardId source,
      int number,
      String owner,
      IndexSplit.Part part,
      @Nullable UploadMark mark) {
    ClusterState marked =
        mark != null
                && mark.primaryTerm() + 1 == part.primaryTerm()
                && mark.primaryTerm() == state.primaryTerm(source)
            ? UploadMarking.withMark(state, source, mark)
            : state;
    return OnlineSplit.divided(marked, source, number, owner, part);
  }

  /// Waits until this node knows the state in which the shard has a later term, or that there is
  /// none. Not until all members do, of whom some may just have died: who asks for what he believes
  /// to be in a shard is told that it was divided.
  private static void awaitHere(Begun<ClusterState> change, ShardSlot slot, long term)
      throws IOException, InterruptedException {
    while (slot.wantedTerm() <= term) {
      try {
        ClusterState _ = change.value(POLL);
        return;
      } catch (TimeoutException _) {
        // looked at again
      } catch (ExecutionException e) {
        throw failure(slot, e);
      }
    }
  }
}
