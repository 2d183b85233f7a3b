package dev.holdfast.indexing.engine;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.SourceReading;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.resend.RecentWrites;
import dev.holdfast.indexing.version.BatchReads;
import dev.holdfast.indexing.version.CurrentDocuments;
import dev.holdfast.indexing.version.IdLocks;
import dev.holdfast.indexing.version.LiveReader;
import dev.holdfast.indexing.version.Row;
import dev.holdfast.indexing.version.SequenceNumbers;
import dev.holdfast.indexing.version.VersionMap;
import dev.holdfast.indexing.version.VersionRules;
import dev.holdfast.indexing.version.VersionRules.Verdict;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.Operation;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// One shard's documents: Lucene's writer, the versions that its reader does not show yet, and the
/// numbering of operations. It decides which writes happen, gives them to the log and to Lucene.
///
/// Writes hold the gate shared, from numbering until Lucene and the log have them; a commit takes
/// it alone while it asks which numbers are in Lucene and where the log stands, and again for the
/// ticket that covers all that the commit holds.
public final class ShardEngine implements AutoCloseable {
  /// How long an answer waits for what it tells of: the log may be silent as long.
  public static final Duration TELLABLE_MAX = Duration.ofSeconds(10);

  /// The same once others have waited so long in vain.
  static final Duration TELLABLE_MIN = Duration.ofMillis(100);

  public final ShardId shard;
  public final long primaryTerm;
  public final IndexWriter writer;
  public final IndexingDirectory directory;
  public final RetainedCommits commits;
  public final VersionMap versions = new VersionMap();
  public final SequenceNumbers numbers;
  public final RecentWrites recent;

  /// Of the operations that this owner numbered.
  public final DurableNumbers durable;

  public final LiveReader reader;
  public final ShardCounters counters;

  /// Finds documents as they are now.
  public final CurrentDocuments documents;

  private final NodeParts node;
  private final IdLocks ids = new IdLocks();
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile SegmentCounts counts = SegmentCounts.NONE;
  private volatile boolean isClosed;

  /// @param maxSeqNo the highest number that the writer's commit is known to hold
  /// @param sources how sources are read under the mapping as it is now
  public ShardEngine(
      NodeParts node,
      ShardId shard,
      long primaryTerm,
      IndexWriter writer,
      IndexingDirectory directory,
      RetainedCommits commits,
      long maxSeqNo,
      ShardCounters counters,
      Supplier<SourceReading> sources)
      throws IOException {
    this.node = node;
    this.shard = shard;
    this.primaryTerm = primaryTerm;
    this.writer = writer;
    this.directory = directory;
    this.commits = commits;
    this.counters = counters;
    this.numbers = new SequenceNumbers(maxSeqNo);
    this.recent = new RecentWrites(node.world().clock());
    this.durable = new DurableNumbers(node.world(), numbers, node.log());
    this.reader = new LiveReader(writer, versions, node.world().clock());
    this.documents = new CurrentDocuments(versions, reader, ids, sources);
  }

  /// How one batch ended.
  ///
  /// @param applied rows that are in the log and in Lucene, numbers and versions filled in
  /// @param refused rows that changed nothing
  /// @param ticket null when nothing was applied
  public record Applied(
      List<Row> applied, Map<Row, Refusal> refused, Log.@Nullable Ticket ticket) {}

  /// Judges rows of unique ids and applies those that may happen.
  ///
  /// @param attempt what the rows are part of: an attempt that follows finds what was applied
  /// @param builder holds the rows that are no deletes, in order
  /// @throws Refusal when the shard has failed, or nobody may write to its index
  public Applied apply(WriteAttempt attempt, List<Row> rows, BatchBuilder builder)
      throws IOException, InterruptedException {
    List<String> explicit = new ArrayList<>(rows.size());
    rows.stream().filter(row -> !row.isAppend).forEach(row -> explicit.add(row.id));
    IdLocks.Hold hold = ids.take(explicit);
    gate.readLock().lock();
    try {
      WriteBlock.requireWritable(this, node.cluster().metadata().current());
      Map<Row, Refusal> refused = new HashMap<>();
      List<Row> accepted = judge(rows, refused);
      if (accepted.isEmpty()) {
        return new Applied(List.of(), refused, null);
      }
      if (!refused.isEmpty()) {
        LuceneBatch.scanAgain(accepted, builder, refused);
        if (accepted.isEmpty()) {
          return new Applied(List.of(), refused, null);
        }
      }
      Log.Ticket ticket = numberAndLog(attempt, accepted, builder, refused);
      return new Applied(accepted, refused, ticket);
    } finally {
      gate.readLock().unlock();
      hold.close();
    }
  }

  private Log.Ticket numberAndLog(
      WriteAttempt attempt, List<Row> accepted, BatchBuilder builder, Map<Row, Refusal> refused)
      throws IOException {
    DurableNumbers.Batch batch = durable.take(accepted.size());
    boolean isLogged = false;
    try {
      long seqNo = batch.first;
      for (Row row : accepted) {
        row.seqNo = seqNo++;
        row.primaryTerm = primaryTerm;
      }
      Map<Row, Refusal> broken = toLucene(accepted, builder);
      refused.putAll(broken);
      accepted.removeAll(broken.keySet());
      Log.Ticket ticket = log(attempt, accepted);
      recent.did(attempt, accepted);
      durable.logged(batch, ticket);
      isLogged = true;
      return ticket;
    } finally {
      if (!isLogged) {
        durable.failed(batch);
      }
    }
  }

  private List<Row> judge(List<Row> rows, Map<Row, Refusal> refused) throws IOException {
    List<Row> accepted = new ArrayList<>(rows.size());
    documents.lookUp(rows);
    for (Row row : rows) {
      switch (VersionRules.judge(shard, row.id, row.kind, row.condition, row.before)) {
        case Verdict.Accepted(long version, WriteResult.Effect effect) -> {
          row.version = version;
          row.effect = effect;
          accepted.add(row);
        }
        case Verdict.Conflict(Refusal conflict) -> {
          counters.versionConflicts.increment();
          refused.put(row, conflict);
        }
      }
    }
    return accepted;
  }

  private Log.Ticket log(WriteAttempt attempt, List<Row> rows) {
    List<Operation> operations = new ArrayList<>(rows.size());
    long bytes = 0;
    for (Row row : rows) {
      boolean found = row.replaces();
      Operation.Sent sent =
          attempt.origin().isNone() && !found
              ? Operation.Sent.ONCE
              : new Operation.Sent(attempt.origin(), attempt.ordinal(row.slot), found);
      if (row.source == null) {
        operations.add(new Operation.Delete(row.seqNo, row.version, row.id, sent));
      } else {
        operations.add(
            new Operation.Index(
                row.seqNo,
                row.version,
                row.id,
                row.source.routing(),
                row.isAppend,
                row.source.bytes(),
                row.source.offset(),
                row.source.length(),
                sent));
        bytes += row.source.length();
      }
    }
    Log.Ticket ticket;
    try {
      ticket = node.log().append(shard, primaryTerm, operations);
    } catch (RuntimeException | Error e) {
      fail(e); // Lucene has what the log lacks
      throw e;
    }
    counters.logOperations.addAndGet(rows.size());
    counters.logBytes.addAndGet(bytes);
    return ticket;
  }

  /// Gives numbered rows to Lucene and remembers their versions; the caller holds their ids, and
  /// the gate or the whole shard.
  public Map<Row, Refusal> toLucene(List<Row> rows, BatchBuilder builder) throws IOException {
    Map<Row, Refusal> refused;
    try {
      refused = new LuceneBatch(writer, rows, builder).write();
    } catch (IOException | RuntimeException | Error e) {
      if (isClosed) { // its files went: the shard moved, or its index was deleted
        throw unavailable(shard, e);
      }
      fail(e);
      throw e;
    }
    long nowNanos = node.world().clock().nanoTime();
    for (Row row : rows) {
      if (!refused.containsKey(row)) {
        VersionMap.Entry entry =
            new VersionMap.Entry(
                row.seqNo, row.primaryTerm, row.version, row.isDelete(), nowNanos, row.kept);
        if (row.isAppend) {
          versions.append(row.id, entry);
        } else {
          versions.put(row.id, entry);
        }
      }
    }
    return refused;
  }

  /// After a batch, outside the gate: keeps buffers and the version map within their bounds.
  public void makeRoom() throws IOException {
    try {
      node.budgets().memory().note(writer);
      if (versions.bytes() > node.config().memory().versionMap().bytes()) {
        reader.reopen();
      }
    } catch (AlreadyClosedException e) {
      throw asFailure(e);
    }
  }

  /// The document as of now, durable or not: whoever tells of it waits for its operation.
  ///
  /// @param reads of whoever reads several documents, one after the other; null for one alone
  public CurrentDocuments.Found find(String id, @Nullable BatchReads reads)
      throws IOException, InterruptedException {
    ensureOpen();
    try {
      return counters.get(node.world().clock(), () -> documents.find(id, reads));
    } catch (AlreadyClosedException e) {
      throw asFailure(e);
    }
  }

  /// How long somebody waits who asks now whether an operation is durable: not long when others
  /// have waited in vain, so that a request for many documents waits once.
  ///
  /// @param waiting for how long the oldest operation that is not durable has not been
  public static Duration tellablePatience(Duration waiting) {
    Duration left = TELLABLE_MAX.minus(waiting);
    return left.compareTo(TELLABLE_MIN) < 0 ? TELLABLE_MIN : left;
  }

  /// Returns when an operation may be told of.
  ///
  /// @param id for messages
  /// @param max no more than [#TELLABLE_MAX]
  /// @throws Refusal 503 when it is not durable in time, or will never be
  public void awaitTellable(String id, long seqNo, Duration max) throws InterruptedException {
    try {
      if (!durable.await(seqNo, max)) {
        throw new Refusal(
            ErrorType.TIMEOUT,
            "["
                + id
                + "]: the newest operation on the document is not durable yet: the object store"
                + " does not answer, retry later [waited="
                + max
                + "]");
      }
    } catch (Log.EvictedException e) {
      fail(e);
      throw unavailable(shard, e);
    } catch (IOException e) {
      throw unavailable(shard, e);
    }
  }

  /// Commits what changed, and with `isForced` also when nothing did; one caller at a time.
  public Committed commit(boolean isForced) throws IOException {
    ensureOpen();
    try {
      return new Committing(this, node.log(), node.cluster().routers(), gate.writeLock())
          .commit(isForced);
    } catch (AlreadyClosedException e) {
      throw asFailure(e);
    } catch (IOException | RuntimeException | Error e) {
      // Its files went: the shard moved, or its index was deleted; or a merge failed meanwhile.
      if (isClosed || (e instanceof IllegalStateException && writer.getTragicException() != null)) {
        throw unavailable(shard, e);
      }
      fail(e);
      throw e;
    }
  }

  /// What a commit holds is durable: figures show it.
  public void shows(Committed durableNow) {
    if (durableNow.commit() != null) {
      counts = durableNow.counts();
    }
  }

  /// Of the newest commit that is durable.
  public SegmentCounts counts() {
    return counts;
  }

  /// The shard does nothing from now on; whoever opened it opens it anew. The first reason is kept.
  public void fail(Throwable why) {
    failure.compareAndSet(null, why);
  }

  /// Why it failed, or null. A writer that Lucene closed counts.
  public @Nullable Throwable failure() {
    Throwable known = failure.get();
    return known == null ? writer.getTragicException() : known;
  }

  public boolean isOpen() {
    return !isClosed && failure() == null;
  }

  /// Whether it was closed, failed or not.
  public boolean isClosed() {
    return isClosed;
  }

  /// What fails from now on does so because all that it needs is being closed.
  public void beginClosing() {
    isClosed = true;
  }

  public void ensureOpen() {
    if (!isOpen()) {
      throw unavailable(shard, failure());
    }
  }

  public static Refusal unavailable(ShardId shard, @Nullable Throwable why) {
    return new Refusal(ErrorType.UNAVAILABLE_SHARDS, shard + " primary shard is not active", why);
  }

  /// What was closed while somebody was at it: the shard moved, its index was deleted, or Lucene
  /// gave up.
  public Refusal asFailure(AlreadyClosedException e) {
    fail(e);
    return unavailable(shard, e);
  }

  /// Drops everything that is not committed and lets go of files and memory.
  @Override
  public void close() throws IOException {
    isClosed = true;
    gate.writeLock().lock();
    try {
      IOUtils.close(
          reader, writer::rollback, () -> node.budgets().memory().forget(writer), directory);
    } finally {
      gate.writeLock().unlock();
    }
  }
}
