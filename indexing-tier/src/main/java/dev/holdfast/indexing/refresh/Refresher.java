package dev.holdfast.indexing.refresh;

import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.indexing.engine.Committed;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.node.NodeThreads;
import dev.holdfast.indexing.node.Pools;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.notice.ShardNotices;
import dev.holdfast.indexing.upload.Batches;
import dev.holdfast.indexing.version.SequenceNumbers;
import dev.holdfast.translog.Log;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.index.CorruptIndexException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes writes searchable (§4.1): commits, appends the commit to the batch, tells the internal
/// reader, and when the commit's operations are durable tells the search tier. One cycle at a time;
/// everybody who asks while one runs is served by the next, together.
public final class Refresher {
  private static final Logger LOG = LoggerFactory.getLogger(Refresher.class);

  private final World world;
  private final Log log;
  private final IndexingConfig config;
  private final LifeConfig life;
  private final WorkPool refreshing;
  private final WorkPool moving;
  private final ShardEngine engine;
  private final Batches batches;
  private final ShardNotices notices;
  private final ReentrantLock committing = new ReentrantLock();
  private volatile boolean isLastCommitMade;

  /// Lucene may have a commit that search copies will never be told of: it did not get into the
  /// batch, or nobody waited until it was durable. Another one is made then, though nothing has
  /// changed. Guarded by [#committing].
  private boolean isUntold;

  // Guarded by this.
  private CompletableFuture<@Nullable Void> next = new CompletableFuture<>();
  private int waiters;
  private boolean isRunning;

  /// Completed by the running cycle; null when none runs.
  private @Nullable CompletableFuture<@Nullable Void> running;

  private boolean isClosed;

  /// Somebody asked for a cycle after the running one began.
  private boolean isAsked;

  /// Operations up to this one are searchable.
  private volatile long searchableSeqNo;

  private volatile long lastBeginNanos;

  public Refresher(
      World world,
      Log log,
      IndexingConfig config,
      LifeConfig life,
      NodeThreads threads,
      ShardEngine engine,
      Batches batches,
      ShardNotices notices) {
    this.world = world;
    this.log = log;
    this.config = config;
    this.life = life;
    this.refreshing = threads.refreshing();
    this.moving = threads.moving();
    this.engine = engine;
    this.batches = batches;
    this.notices = notices;
    this.searchableSeqNo = SequenceNumbers.NONE;
    this.lastBeginNanos = world.clock().nanoTime();
  }

  /// The shard was opened: the search tier sees operations up to this one.
  public void startsFrom(long seqNo) {
    searchableSeqNo = notices.isBehind() ? SequenceNumbers.NONE : seqNo;
  }

  /// Returns when all writes so far are searchable; begins a cycle at once.
  public void refresh() throws IOException, InterruptedException {
    await(ask(true));
  }

  /// Returns when all writes so far are searchable, by the next cycle that somebody else begins.
  ///
  /// @param begins nobody else will
  public void awaitNext(boolean begins) throws IOException, InterruptedException {
    long wantedSeqNo = engine.numbers.max();
    while (wantedSeqNo > searchableSeqNo) {
      await(awaited(wantedSeqNo, begins));
    }
  }

  /// The cycle to wait for. The running one may already hold the wanted write, and then leaves
  /// nothing for which anybody would begin another; when it does not, the caller asks again.
  private synchronized CompletableFuture<@Nullable Void> awaited(long wantedSeqNo, boolean begins) {
    if (wantedSeqNo <= searchableSeqNo) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<@Nullable Void> current = running;
    return current == null || current.isDone() ? ask(begins) : current;
  }

  /// Begins a cycle and does not wait.
  public void begin() {
    CompletableFuture<@Nullable Void> _ = ask(true);
  }

  /// Whether a cycle would find anything to do. A delete of nothing is numbered and may be waited
  /// for, though Lucene has nothing to commit.
  public boolean isNeeded() {
    return engine.isOpen()
        && (engine.writer.hasUncommittedChanges()
            || notices.isBehind()
            || engine.numbers.max() > searchableSeqNo);
  }

  /// When the newest cycle began.
  public long lastBeginNanos() {
    return lastBeginNanos;
  }

  private synchronized CompletableFuture<@Nullable Void> ask(boolean begins) {
    if (isClosed) {
      throw ShardEngine.unavailable(engine.shard, engine.failure());
    }
    waiters++;
    isAsked |= begins || waiters > config.refreshes().waitersMax();
    if (isAsked && !isRunning) {
      isRunning = true;
      Tasks.Task _ = world.tasks().start("refresh", this::cycles, () -> isRunning = false);
    }
    return next;
  }

  private void cycles() {
    while (true) {
      CompletableFuture<@Nullable Void> served;
      synchronized (this) {
        running = null;
        if (!isAsked || isClosed) {
          isRunning = false;
          return;
        }
        isAsked = false;
        served = next;
        running = served;
        next = new CompletableFuture<>();
        waiters = 0;
      }
      try {
        cycle();
        served.complete(null);
      } catch (InterruptedException e) {
        stop(served, ShardEngine.unavailable(engine.shard, e));
        Thread.currentThread().interrupt();
        return;
      } catch (Log.EvictedException e) {
        engine.fail(e);
        served.completeExceptionally(e);
      } catch (IOException | RuntimeException | Error e) {
        if (isLastCommitMade || !engine.isOpen() || isElsewhere(e)) {
          LOG.debug("no refresh of a shard that is closing [shard={}]", engine.shard, e);
        } else {
          LOG.warn("refresh failed [shard={}]", engine.shard, e);
        }
        served.completeExceptionally(e);
      }
    }
  }

  /// Whether the cluster state says that the shard was opened under another term since, as when its
  /// index was closed and is open again: this one is about to be closed.
  private static boolean isElsewhere(Throwable why) {
    return why instanceof Refusal refusal && ShardNotHere.is(refusal);
  }

  private void stop(CompletableFuture<@Nullable Void> served, Refusal why) {
    served.completeExceptionally(why);
    synchronized (this) {
      isRunning = false;
      running = null;
    }
    close();
  }

  /// Runs work that commits, while no other does.
  private <T> T exclusively(Exclusive<T> work) throws IOException, InterruptedException {
    committing.lockInterruptibly();
    try {
      return work.run();
    } finally {
      committing.unlock();
    }
  }

  boolean isLastCommitMade() {
    return isLastCommitMade;
  }

  /// Work that commits.
  @FunctionalInterface
  private interface Exclusive<T> {
    T run() throws IOException, InterruptedException;
  }

  private void cycle() throws IOException, InterruptedException {
    long beginNanos = world.clock().nanoTime();
    lastBeginNanos = beginNanos;
    Committed committed = commit();
    if (notices.isBehind()) {
      notices.tell(life.refreshPatience());
    }
    searchableSeqNo = Math.max(searchableSeqNo, committed.maxSeqNo());
    engine.counters.refreshes.increment();
    engine.counters.refreshNanos.add(world.clock().nanoTime() - beginNanos);
  }

  /// Commits what changed and appends the commit to the batch; returns when what it holds is
  /// durable. The search tier is told by whoever asked for it.
  public Committed commit() throws IOException, InterruptedException {
    return exclusively(() -> {
      if (isLastCommitMade) {
        throw ShardEngine.unavailable(engine.shard, engine.failure());
      }
      boolean isForced = isUntold;
      isUntold = true; // an interrupt or a failure leaves it so
      Committed made = Pools.call(refreshing, () -> engine.commit(isForced));
      if (made.commit() != null) {
        CompoundCommit commit = Pools.call(refreshing, () -> append(made));
        announce(commit, made);
      }
      isUntold = false;
      return made;
    });
  }

  /// Ends writing.
  @FunctionalInterface
  public interface Ending {
    /// Returns false when writes under way do not end: they go on then.
    boolean end() throws InterruptedException;
  }

  /// Makes the last commit, which needs no replay. Whoever waits for a refresh is refused from now
  /// on, also when this fails: the shard is closed then, and opened anew.
  ///
  /// @param ending of writes, when no other commit is under way: they would wait for that, too
  /// @param onMade told when Lucene has it
  /// @return empty when writes go on: there is no last commit
  public Optional<CompoundCommit> commitLast(Ending ending, Runnable onMade)
      throws IOException, InterruptedException {
    return exclusively(() -> {
      if (!ending.end()) {
        return Optional.empty();
      }
      Committed last = Pools.call(moving, () -> engine.commit(true));
      isLastCommitMade = true;
      onMade.run();
      CompoundCommit commit = Pools.call(moving, () -> batches.appendClean(last));
      announce(commit, last);
      return Optional.of(commit);
    });
  }

  private CompoundCommit append(Committed committed) throws IOException {
    try {
      CompoundCommit commit = batches.append(committed);
      engine.reader.committed();
      return commit;
    } catch (CorruptIndexException | CorruptObjectException e) {
      engine.fail(e); // this node's disk: the log has what is lost here
      throw e;
    }
  }

  /// Only what is durable may be searched: nothing that was seen is ever lost.
  private void announce(CompoundCommit commit, Committed made)
      throws IOException, InterruptedException {
    try {
      log.await(made.ticket());
    } catch (IOException e) {
      engine.fail(e);
      throw e;
    }
    engine.shows(made);
    notices.durable(commit);
  }

  /// Whoever waits is refused.
  public synchronized void close() {
    isClosed = true;
    Refusal why = ShardEngine.unavailable(engine.shard, engine.failure());
    next.completeExceptionally(why);
    CompletableFuture<@Nullable Void> current = running;
    if (current != null) {
      current.completeExceptionally(why);
    }
  }

  private synchronized boolean isGone() {
    return isClosed;
  }

  private void await(CompletableFuture<@Nullable Void> cycle)
      throws IOException, InterruptedException {
    try {
      cycle.get();
    } catch (ExecutionException e) {
      if (isGone() && !(e.getCause() instanceof Refusal)) {
        // Its files went while it was at it: the shard moved, or its index was deleted.
        throw ShardEngine.unavailable(engine.shard, e.getCause());
      }
      switch (e.getCause()) {
        case Refusal refusal -> throw refusal;
        case IOException io -> throw new IOException(io.getMessage(), io);
        case null, default -> throw new IOException("refresh failed", e.getCause());
      }
    }
  }
}
