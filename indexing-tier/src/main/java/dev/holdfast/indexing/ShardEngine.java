package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.IndexingDirectory;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.indexing.VersionRules.Current;
import dev.holdfast.indexing.VersionRules.Verdict;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.Operation;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// One shard's documents: Lucene's writer, the versions that its reader does not show yet, and the
/// numbering of operations. It decides which writes happen, gives them to the log and to Lucene, and
/// commits.
///
/// Writes hold the gate shared, from numbering until Lucene and the log have them; a commit takes it
/// alone for
/// the moment in which it asks "which numbers are in Lucene, and where does the log stand", and again
/// for the ticket that covers all that the commit holds.
final class ShardEngine implements AutoCloseable {
  final ShardId shard;
  final long primaryTerm;
  final IndexWriter writer;
  final IndexingDirectory directory;
  final RetainedCommits commits;
  final VersionMap versions = new VersionMap();
  final SequenceNumbers numbers;
  final LiveReader reader;
  final ShardCounters counters;

  private final NodeParts node;
  private final IdLocks ids = new IdLocks();
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean isClosed;

  /// @param maxSeqNo the highest number that the writer's commit is known to hold
  ShardEngine(
      NodeParts node,
      ShardId shard,
      long primaryTerm,
      IndexWriter writer,
      IndexingDirectory directory,
      RetainedCommits commits,
      long maxSeqNo,
      ShardCounters counters)
      throws IOException {
    this.node = node;
    this.shard = shard;
    this.primaryTerm = primaryTerm;
    this.writer = writer;
    this.directory = directory;
    this.commits = commits;
    this.counters = counters;
    this.numbers = new SequenceNumbers(maxSeqNo);
    this.reader = new LiveReader(writer, versions, node.world().clock());
  }

  /// How one batch ended.
  ///
  /// @param applied rows that are in the log and in Lucene, numbers and versions filled in
  /// @param refused rows that changed nothing
  /// @param ticket null when nothing was applied
  record Applied(List<Row> applied, Map<Row, Refusal> refused, Log.@Nullable Ticket ticket) {}

  /// Judges rows of unique ids and applies those that may happen.
  ///
  /// @param builder holds the rows that are no deletes, in order
  /// @throws Refusal `unavailable_shards_exception` when the shard has failed
  Applied apply(List<Row> rows, BatchBuilder builder) throws IOException, InterruptedException {
    List<String> explicit = new ArrayList<>(rows.size());
    rows.stream().filter(row -> !row.isAppend).forEach(row -> explicit.add(row.id));
    IdLocks.Hold hold = ids.take(explicit);
    gate.readLock().lock();
    try {
      ensureOpen();
      Map<Row, Refusal> refused = new HashMap<>();
      List<Row> accepted = judge(rows, refused);
      if (accepted.isEmpty()) {
        return new Applied(List.of(), refused, null);
      }
      if (!refused.isEmpty()) {
        rebuild(accepted, builder);
      }
      long seqNo = numbers.take(accepted.size());
      for (Row row : accepted) {
        row.seqNo = seqNo++;
        row.primaryTerm = primaryTerm;
      }
      Map<Row, Refusal> broken = toLucene(accepted, builder);
      refused.putAll(broken);
      accepted.removeAll(broken.keySet());
      return new Applied(accepted, refused, log(accepted));
    } finally {
      gate.readLock().unlock();
      hold.close();
    }
  }

  private List<Row> judge(List<Row> rows, Map<Row, Refusal> refused) throws IOException {
    List<Row> accepted = new ArrayList<>(rows.size());
    lookUp(rows);
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

  /// Fills in what the shard has of each id: from the version map, else from the reader.
  void lookUp(List<Row> rows) throws IOException {
    List<Row> unknown = new ArrayList<>();
    for (Row row : rows) {
      if (!row.isAppend) {
        VersionMap.Entry entry = versions.entry(row.id);
        if (entry == null) {
          unknown.add(row);
        } else {
          row.before = current(entry);
        }
      }
    }
    if (unknown.isEmpty()) {
      return;
    }
    reader.showAppends();
    unknown.sort((a, b) -> a.id.compareTo(b.id));
    DirectoryReader now = reader.acquire();
    try {
      IdLookup lookup = new IdLookup(now);
      for (Row row : unknown) {
        IdLookup.Found found = lookup.find(row.id);
        row.before =
            found == null
                ? new Current.Absent()
                : new Current.Present(found.seqNo(), found.primaryTerm(), found.version());
      }
    } finally {
      now.decRef();
    }
  }

  private static Current current(VersionMap.Entry entry) {
    return entry.isDeleted()
        ? new Current.Deleted(entry.seqNo(), entry.primaryTerm(), entry.version())
        : new Current.Present(entry.seqNo(), entry.primaryTerm(), entry.version());
  }

  static void rebuild(List<Row> rows, BatchBuilder builder) {
    builder.clear();
    for (Row row : rows) {
      if (row.source != null) {
        BatchBuilder.Outcome outcome = builder.add(row.source);
        Promise.keep(
            outcome instanceof BatchBuilder.Outcome.Added,
            "a document that was scanned is scanned again",
            "id",
            row.id);
        row.batchRow = builder.rows() - 1;
      }
    }
  }

  private Log.Ticket log(List<Row> rows) {
    List<Operation> operations = new ArrayList<>(rows.size());
    long bytes = 0;
    for (Row row : rows) {
      if (row.source == null) {
        operations.add(new Operation.Delete(row.seqNo, row.version, row.id));
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
                row.source.length()));
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
  Map<Row, Refusal> toLucene(List<Row> rows, BatchBuilder builder) throws IOException {
    Map<Row, Refusal> refused;
    try {
      refused = new LuceneBatch(writer, rows, builder).write();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      throw e;
    }
    long nowNanos = node.world().clock().nanoTime();
    for (Row row : rows) {
      if (!refused.containsKey(row)) {
        VersionMap.Entry entry =
            new VersionMap.Entry(
                row.seqNo,
                row.primaryTerm,
                row.version,
                row.isDelete(),
                nowNanos,
                row.updated);
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
  void makeRoom() throws IOException {
    try {
      node.memory().note(writer);
      if (versions.bytes() > node.config().versionMapSize().bytes()) {
        reader.reopen();
      }
    } catch (AlreadyClosedException e) {
      throw asFailure(e);
    }
  }

  /// The document as of now (real-time get, §4.1).
  RealTimeDocument find(String id) throws IOException {
    ensureOpen();
    counters.gets.increment();
    VersionMap.Entry entry = versions.entry(id);
    if (entry != null && entry.isDeleted()) {
      return RealTimeDocument.missing();
    }
    if (entry != null && entry.source() != null) {
      return new RealTimeDocument(
          true,
          entry.seqNo(),
          entry.primaryTerm(),
          entry.version(),
          entry.source().routing(),
          entry.source().bytes());
    }
    try {
      if (entry != null) {
        reader.reopen();
      } else {
        reader.showAppends();
      }
      return findInReader(id);
    } catch (AlreadyClosedException e) {
      throw asFailure(e);
    }
  }

  private RealTimeDocument findInReader(String id) throws IOException {
    DirectoryReader now = reader.acquire();
    try {
      IdLookup.Found found = new IdLookup(now).find(id);
      if (found == null) {
        return RealTimeDocument.missing();
      }
      VersionMap.Source source = LiveReader.source(now, found.document());
      return new RealTimeDocument(
          true,
          found.seqNo(),
          found.primaryTerm(),
          found.version(),
          source.routing(),
          source.bytes());
    } finally {
      now.decRef();
    }
  }

  /// A Lucene commit as it was made.
  ///
  /// @param commit null when nothing had changed: the commit before holds it all
  /// @param maxSeqNo every operation up to it is in the commit
  /// @param logOrdinal every operation that is not lies in this file of the log or a later one
  /// @param ticket when it is durable, so is every operation in the commit
  /// @param logOperations operations given to the log until the commit, for statistics
  record Committed(
      @Nullable IndexCommit commit,
      long maxSeqNo,
      long logOrdinal,
      Log.Ticket ticket,
      long documents,
      long logOperations,
      long logBytes) {}

  /// What is in Lucene at a moment at which no write is under way.
  private record Captured(long maxSeqNo, long logOrdinal, long logOperations, long logBytes) {}

  /// Commits what changed; one caller at a time.
  ///
  /// @param isForced commit even when nothing changed
  Committed commit(boolean isForced) throws IOException {
    ensureOpen();
    Captured captured;
    gate.writeLock().lock();
    try {
      captured =
          new Captured(
              numbers.max(),
              node.log().ordinal(),
              counters.logOperations.get(),
              counters.logBytes.get());
    } finally {
      gate.writeLock().unlock();
    }
    try {
      if (!isForced && !writer.hasUncommittedChanges()) {
        return committed(null, captured);
      }
      writer.setLiveCommitData(
          Map.of(
                  "max_seq_no",
                  Long.toString(captured.maxSeqNo),
                  "primary_term",
                  Long.toString(primaryTerm))
              .entrySet());
      writer.commit();
    } catch (AlreadyClosedException e) {
      throw asFailure(e);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      throw e;
    }
    IndexCommit commit = commits.newest();
    if (commit == null) {
      throw new IOException("Lucene committed and told nobody [shard=" + shard + "]");
    }
    return committed(commit, captured);
  }

  private Committed committed(@Nullable IndexCommit commit, Captured captured)
      throws IOException {
    return new Committed(
        commit,
        captured.maxSeqNo,
        captured.logOrdinal,
        barrier(),
        commit == null ? 0 : documents(commit),
        captured.logOperations,
        captured.logBytes);
  }

  /// Covers every operation that Lucene has: none is between Lucene and the log when nobody holds
  /// the gate.
  private Log.Ticket barrier() {
    gate.writeLock().lock();
    try {
      return node.log().barrier();
    } finally {
      gate.writeLock().unlock();
    }
  }

  private static long documents(IndexCommit commit) throws IOException {
    SegmentInfos segments =
        SegmentInfos.readCommit(
            commit.getDirectory(), commit.getSegmentsFileName());
    long documents = 0;
    for (SegmentCommitInfo segment : segments) {
      documents += segment.info.maxDoc() - segment.getDelCount();
    }
    return documents;
  }

  /// The shard does nothing from now on; whoever opened it opens it anew. The first reason is kept.
  void fail(Throwable why) {
    failure.compareAndSet(null, why);
  }

  /// Why it failed, or null. A writer that Lucene closed counts.
  @Nullable Throwable failure() {
    Throwable known = failure.get();
    return known == null ? writer.getTragicException() : known;
  }

  boolean isOpen() {
    return !isClosed && failure() == null;
  }

  void ensureOpen() {
    if (!isOpen()) {
      throw unavailable(shard, failure());
    }
  }

  static Refusal unavailable(ShardId shard, @Nullable Throwable why) {
    return new Refusal(
        ErrorType.UNAVAILABLE_SHARDS, shard + " primary shard is not active", why);
  }

  private Refusal asFailure(AlreadyClosedException e) {
    fail(e);
    return unavailable(shard, e);
  }

  /// Drops everything that is not committed and lets go of files and memory.
  @Override
  public void close() throws IOException {
    isClosed = true;
    gate.writeLock().lock();
    try {
      node.memory().forget(writer);
      IOUtils.close(reader, writer::rollback, directory);
    } finally {
      gate.writeLock().unlock();
    }
  }
}
