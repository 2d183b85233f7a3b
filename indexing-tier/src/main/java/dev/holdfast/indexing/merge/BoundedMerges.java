package dev.holdfast.indexing.merge;

import dev.holdfast.indexing.engine.ShardCounters;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Begun;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeRateLimiter;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RateLimitedIndexOutput;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Merges of one shard, one at a time, the smallest first, in the pool that all shards of the node
/// share.
public final class BoundedMerges extends MergeScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(BoundedMerges.class);

  /// No merge is tried for so long after one met a damaged object: it is asked for again and again.
  private static final Duration PAUSE_AFTER_DAMAGE = Duration.ofMinutes(1);

  /// When so many merges wait, writing waits too.
  private static final int WAITING_MAX = 6;

  /// How soon it is seen that merges were given up.
  private static final Duration LOOK = Duration.ofMillis(500);

  private static final Comparator<OneMerge> SMALLEST_FIRST =
      Comparator.comparingLong(merge -> merge.estimatedMergeBytes);

  private final World world;
  private final WorkPool pool;
  private final ShardCounters counters;

  // Guarded by this.
  private final List<OneMerge> waiting = new ArrayList<>();
  private boolean isRunning;
  private boolean isClosed;

  /// No merge is taken before; null when none met damage.
  private volatile @Nullable Long pausedUntilNanos;

  public BoundedMerges(World world, WorkPool pool, ShardCounters counters) {
    this.world = world;
    this.pool = pool;
    this.counters = counters;
  }

  /// Takes over every merge that Lucene has found; while too many wait, so does the caller.
  @Override
  public void merge(MergeSource source, MergeTrigger trigger) throws IOException {
    boolean isOurs = trigger == MergeTrigger.MERGE_FINISHED;
    if (isPaused() && !isOurs && trigger != MergeTrigger.EXPLICIT) {
      return; // they stay with Lucene, which asks again
    }
    while (awaitPlace(isOurs)) {
      OneMerge merge = source.getNextMerge();
      if (merge == null) {
        return;
      }
      add(source, merge);
    }
  }

  private boolean isPaused() {
    Long until = pausedUntilNanos;
    return until != null && world.clock().nanoTime() - until < 0;
  }

  /// False when there will be no place. Who runs the merges never waits for one. The wait ends
  /// because each merge does: it is work of this node's own, and given up when the writer closes.
  private synchronized boolean awaitPlace(boolean isOurs) throws IOException {
    while (!isClosed && !isOurs && waiting.size() >= WAITING_MAX) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while merges catch up", e);
      }
    }
    return !isClosed;
  }

  private synchronized void add(MergeSource source, OneMerge merge) {
    waiting.add(merge);
    if (!isRunning) {
      isRunning = true;
      Tasks.Task _ = world.tasks().start("merge", () -> run(source), () -> isRunning = false);
    }
  }

  private void run(MergeSource source) {
    OneMerge merge = next();
    while (merge != null) {
      runOne(source, merge);
      takeFollowers(source);
      merge = next();
    }
  }

  /// A merge that has ended may have made another one possible, or due: Lucene leaves it to the
  /// scheduler to ask. A forced merge in several steps waits for ever otherwise.
  private void takeFollowers(MergeSource source) {
    OneMerge follower = follower(source);
    while (follower != null) {
      add(source, follower);
      follower = follower(source);
    }
  }

  private static @Nullable OneMerge follower(MergeSource source) {
    try {
      return source.getNextMerge();
    } catch (IllegalStateException e) {
      LOG.debug("a writer that failed has no more merges", e);
      return null;
    }
  }

  /// Lucene counts a merge that it has handed out as running until it was tried: where the pool
  /// takes it no more, it is tried here.
  private void runOne(MergeSource source, OneMerge merge) {
    AtomicBoolean isTried = new AtomicBoolean();
    Begun<Boolean> turn =
        Begun.of(
            world,
            "merge-turn",
            () -> pool.call(() -> isTried.getAndSet(true) || mergeOne(source, merge)));
    while (!hasEnded(turn)) {
      endAborted(source);
      if (merge.isAborted() && !isTried.getAndSet(true)) {
        boolean _ = mergeOne(source, merge); // others have the pool
        break;
      }
    }
    turn.cancel();
    if (!isTried.getAndSet(true)) {
      mergeOne(source, merge);
    }
  }

  /// False when it still runs after a while.
  private boolean hasEnded(Begun<Boolean> turn) {
    try {
      boolean _ = turn.value(LOOK);
    } catch (TimeoutException _) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      LOG.warn("the pool for merges does not take a merge", e);
    }
    return true;
  }

  /// A writer that closes, or that a merge has failed, waits for all merges that it has handed out:
  /// for those that wait here as well, and perhaps on the thread that should run them next.
  private void endAborted(MergeSource source) {
    List<OneMerge> aborted;
    synchronized (this) {
      aborted = waiting.stream().filter(OneMerge::isAborted).toList();
      waiting.removeAll(aborted);
      notifyAll();
    }
    for (OneMerge merge : aborted) {
      boolean _ = mergeOne(source, merge);
    }
  }

  /// The smallest that waits; null when there is none, and then nobody runs.
  private @Nullable OneMerge next() {
    synchronized (this) {
      notifyAll();
      if (waiting.isEmpty()) {
        isRunning = false;
        return null;
      }
      OneMerge smallest = Collections.min(waiting, SMALLEST_FIRST);
      waiting.remove(smallest);
      return smallest;
    }
  }

  private boolean mergeOne(MergeSource source, OneMerge merge) {
    long startNanos = world.clock().nanoTime();
    int documents = merge.totalNumDocs();
    long bytes = merge.totalBytesSize();
    counters.currentMerges.incrementAndGet();
    counters.currentMergeDocuments.addAndGet(documents);
    counters.currentMergeBytes.addAndGet(bytes);
    try {
      source.merge(merge);
      return true;
    } catch (MergeAbortedException | AlreadyClosedException | Refusal e) {
      LOG.debug("a merge was given up, its shard is closing", e);
      return false;
    } catch (IOException | RuntimeException e) {
      // Lucene has closed the writer if the index could be harmed; the shard is opened anew then.
      if (CorruptObjectException.in(e) != null) {
        pausedUntilNanos = world.clock().nanoTime() + PAUSE_AFTER_DAMAGE.toNanos();
      }
      LOG.atLevel(merge.isAborted() ? Level.DEBUG : Level.WARN).setCause(e).log("a merge failed");
      return false;
    } finally {
      counters.currentMerges.decrementAndGet();
      counters.currentMergeDocuments.addAndGet(-documents);
      counters.currentMergeBytes.addAndGet(-bytes);
      counters.merges.increment();
      counters.mergeNanos.add(world.clock().nanoTime() - startNanos);
      counters.mergedDocuments.add(documents);
      counters.mergedBytes.add(bytes);
    }
  }

  /// Outputs that notice now and then that their merge was given up.
  @Override
  public Directory wrapForMerge(OneMerge merge, Directory in) {
    MergeRateLimiter unlimited = new MergeRateLimiter(merge.getMergeProgress());
    return new FilterDirectory(in) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        return new RateLimitedIndexOutput(unlimited, in.createOutput(name, context));
      }
    };
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    notifyAll();
  }
}
