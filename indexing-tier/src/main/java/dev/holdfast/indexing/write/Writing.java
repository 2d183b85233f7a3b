package dev.holdfast.indexing.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.Pools;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.resend.RecentRun;
import dev.holdfast.indexing.version.BatchReads;
import dev.holdfast.indexing.version.CurrentDocuments;
import dev.holdfast.indexing.version.Row;
import dev.holdfast.indexing.version.VersionMap;
import dev.holdfast.translog.Log;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import dev.holdfast.world.trace.Cause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One request's writes to one shard: cut into runs of unique ids, each run scanned without a lock,
/// applied as one batch, and tried again where the mapping had to grow or an update lost a race.
public final class Writing {
  /// Documents given to Lucene as one batch end with the one that reaches this.
  private static final long RUN_BYTES_MAX = 4 << 20;

  private final World world;
  private final Metadata metadata;
  private final IndexingConfig config;
  private final WorkPool writing;
  private final ShardEngine engine;
  private final WriteMapping mappings;
  private final WriteAttempt sent;
  private final List<WriteOperation> operations;
  private final @Nullable WriteResult[] results;
  private final int[] retriesLeft;
  private final AnsweredSources answered;
  private final LoggedWrites logged;
  private final WriteCounts counts;

  /// Results that tell of operations of others which were not durable, by slot; lazily made.
  private Map<Integer, Long> told = Map.of();

  public Writing(
      World world,
      Log log,
      Metadata metadata,
      IndexingConfig config,
      WorkPool writing,
      ShardEngine engine,
      WriteMapping mappings,
      WriteAttempt sent,
      List<WriteOperation> operations) {
    this.world = world;
    this.logged = new LoggedWrites(log, config.memory().inFlight());
    this.metadata = metadata;
    this.config = config;
    this.writing = writing;
    this.engine = engine;
    this.counts = new WriteCounts(engine.counters);
    this.mappings = mappings;
    this.sent = sent;
    this.operations = operations;
    this.answered = new AnsweredSources(operations, world.memory().request());
    this.results = new WriteResult[operations.size()];
    this.retriesLeft = operations.stream().mapToInt(WriteOperation::retryOnConflict).toArray();
  }

  /// Applies everything and waits until it is durable.
  ///
  /// @throws Refusal `timeout_exception` when an earlier attempt may have been forgotten
  public List<WriteResult> run() throws IOException, InterruptedException {
    try (answered) {
      return Cause.<List<WriteResult>, IOException, InterruptedException>span(
          "write",
          () -> {
            Cause.note("holdfast.shard", engine.shard.toString());
            Cause.note("holdfast.operations", operations.size());
            return written();
          });
    }
  }

  private List<WriteResult> written() throws IOException, InterruptedException {
    List<RecentRun> earlier = engine.recent.begin(sent.origin());
    if (!earlier.isEmpty()) {
      new EarlierAttempt(engine, sent, earlier).tell(operations, results);
      logged.addEarlier();
    }
    long startNanos = world.clock().nanoTime();
    int from = 0;
    while (from < operations.size()) {
      int to = runEnd(from);
      applyRun(from, to);
      from = to;
    }
    counts.bulk(operations, world.clock().nanoTime() - startNanos);
    logged.awaitDurable();
    awaitTellable();
    return Arrays.stream(results).map(Objects::requireNonNull).toList();
  }

  /// What a result tells of another operation is durable before it is told: a client that sends a
  /// write again takes the conflict for its own success.
  private void awaitTellable() throws InterruptedException {
    long endNanos = world.clock().nanoTime() + ShardEngine.TELLABLE_MAX.toNanos();
    for (Map.Entry<Integer, Long> one : told.entrySet()) {
      int slot = one.getKey();
      Duration left = Duration.ofNanos(endNanos - world.clock().nanoTime());
      try {
        engine.awaitTellable(id(slot), one.getValue(), left);
      } catch (Refusal notDurable) {
        results[slot] = new WriteResult.Refused(id(slot), notDurable);
      }
    }
  }

  /// The result of a slot, once it has one, tells of this operation.
  private void tells(int slot, long seqNo) {
    if (!engine.durable.has(seqNo)) {
      if (told.isEmpty()) {
        told = new TreeMap<>();
      }
      told.put(slot, seqNo);
    }
  }

  /// The end of the longest run from `from` in which no id comes twice, and whose bytes are few.
  private int runEnd(int from) {
    Set<String> ids = new HashSet<>();
    int end = from;
    long bytes = 0;
    while (end < operations.size()
        && end - from < config.rowsMax()
        && bytes < RUN_BYTES_MAX
        && ids.add(operations.get(end).id())) {
      bytes += operations.get(end).length();
      end++;
    }
    return end;
  }

  private void applyRun(int from, int to) throws IOException, InterruptedException {
    List<Integer> left = new ArrayList<>();
    for (int slot = from; slot < to; slot++) {
      if (results[slot] == null) {
        left.add(slot);
      }
    }
    int rounds = 0;
    while (!left.isEmpty()) {
      List<Integer> slots = left;
      boolean mayGrow = rounds++ < config.mappingRoundsMax();
      Attempt attempt;
      try {
        attempt = inPool(() -> attempt(slots, mayGrow));
      } catch (Refusal refusal) {
        // The shard or the pool takes no more: what earlier runs did stands, the rest is refused.
        if (logged.isEmpty() && Arrays.stream(results).allMatch(Objects::isNull)) {
          throw refusal;
        }
        slots.forEach(slot -> results[slot] = new WriteResult.Refused(id(slot), refusal));
        return;
      }
      if (attempt.growth.isEmpty()) {
        rounds = 0;
      } else {
        mappings.grow(attempt.growth);
      }
      left = attempt.again;
      logged.awaitRoom();
    }
  }

  /// What is left to do after an attempt.
  ///
  /// @param growth new fields that must be in the mapping first; nothing was applied then
  private record Attempt(List<Integer> again, List<ObjectNode> growth) {
    /// This one, with others still to do.
    Attempt before(List<Integer> later) {
      return later.isEmpty()
          ? this
          : new Attempt(Stream.concat(again.stream(), later.stream()).toList(), growth);
    }
  }

  private Attempt attempt(List<Integer> slots, boolean mayGrow)
      throws IOException, InterruptedException {
    long startNanos = world.clock().nanoTime();
    List<Row> rows = new ArrayList<>(slots.size());
    int taken = 0;
    try (BatchReads reads = new BatchReads(engine.reader)) {
      // Updates make documents of any length out of a few bytes each.
      for (long bytes = 0; taken < slots.size() && bytes < RUN_BYTES_MAX; taken++) {
        Row row = rowOrResult(slots.get(taken), reads);
        if (row != null) {
          rows.add(row);
          bytes += row.source == null ? 0 : row.source.length();
        }
      }
    }
    List<Integer> later = slots.subList(taken, slots.size());
    try (LargeDocuments large = new LargeDocuments(world.memory().request())) {
      List<Row> admitted = large.admit(rows, (row, refusal) -> refuse(row.slot, refusal));
      return large.during(() -> apply(admitted, mayGrow, startNanos)).before(later);
    }
  }

  private Attempt apply(List<Row> rows, boolean mayGrow, long startNanos)
      throws IOException, InterruptedException {
    Mapping mapping = mappings.newest();
    BatchBuilder builder = mappings.borrow(mapping);
    DocumentScan.Scanned scanned =
        new DocumentScan(mapping, builder, mayGrow, mappings.whyClosed()).scan(rows);
    scanned.refused().forEach((row, refusal) -> refuse(row.slot, refusal));
    if (!scanned.growth().isEmpty()) {
      mappings.giveBack(mapping, builder);
      return new Attempt(
          rows.stream().filter(r -> !scanned.refused().containsKey(r)).map(r -> r.slot).toList(),
          scanned.growth());
    }
    ShardEngine.Applied applied =
        counts.during(scanned.rows(), () -> engine.apply(sent, scanned.rows(), builder));
    mappings.giveBack(mapping, builder);
    engine.makeRoom();
    logged.add(applied.ticket(), applied.applied());
    applied.applied().forEach(this::done);
    List<Integer> again = new ArrayList<>();
    applied
        .refused()
        .forEach((row, refusal) -> {
          if (refusal.type() == ErrorType.VERSION_CONFLICT && mayRetry(row.slot)) {
            again.add(row.slot);
          } else {
            tells(row.slot, row.before.seqNo());
            refuse(row.slot, refusal);
          }
        });
    again.sort(null);
    long tookNanos = world.clock().nanoTime() - startNanos;
    counts.took(applied.applied(), tookNanos);
    IndexingSlowLog.written(engine.shard, metadata, applied.applied(), tookNanos);
    return new Attempt(again, List.of());
  }

  /// Only updates are tried again: they read the document anew.
  private boolean mayRetry(int slot) {
    return operations.get(slot).kind() == Kind.UPDATE && retriesLeft[slot]-- > 0;
  }

  /// The row of an operation; null when its result is known already.
  private @Nullable Row rowOrResult(int slot, BatchReads reads)
      throws IOException, InterruptedException {
    WriteOperation operation = operations.get(slot);
    try {
      return switch (operation.kind()) {
        case INDEX, CREATE -> row(slot, operation);
        case DELETE -> Row.delete(slot, operation.id(), operation.condition());
        case UPDATE -> update(slot, operation, reads);
      };
    } catch (Refusal refusal) {
      if (refusal.type() == ErrorType.VERSION_CONFLICT) {
        engine.counters.versionConflicts.increment();
      }
      refuse(slot, refusal);
      return null;
    }
  }

  private Row row(int slot, WriteOperation operation) {
    Condition condition = operation.condition();
    boolean isAppend =
        operation.isAutoId()
            && condition.ifSeqNo() < 0
            && condition.versionType() == VersionType.INTERNAL;
    return new Row(
        slot,
        operation.id(),
        operation.kind(),
        condition,
        isAppend,
        new DocumentSource(
            operation.id(),
            operation.routing(),
            operation.bytes(),
            operation.offset(),
            operation.length(),
            operation.dynamicTemplates()),
        engine.versions.keepsSources() && mappings.keepsSource()
            ? VersionMap.Source.copy(operation)
            : null);
  }

  /// An update is a write of the merged document on the condition that nobody wrote in between.
  private @Nullable Row update(int slot, WriteOperation operation, BatchReads reads)
      throws IOException, InterruptedException {
    CurrentDocuments.Found found = engine.find(operation.id(), reads);
    tells(slot, found.toldSeqNo());
    RealTimeDocument now = found.document();
    try (Reservation _ = UpdateOutcome.reserve(world.memory().request(), operation, now)) {
      UpdateOutcome outcome =
          UpdateOutcome.of(operation, now, engine.shard, world.clock().epochMillis());
      Kind kind = outcome.kind();
      if (kind == null) {
        if (now.exists()) {
          engine.counters.noopUpdates.increment();
        }
        byte[] shown = now.source();
        answered.ask(slot, shown == null ? 0 : shown.length);
        results[slot] = UpdateOutcome.nothing(operation, now);
        return null;
      }
      return kind == Kind.DELETE
          ? Row.delete(slot, operation.id(), outcome.condition())
          : updated(slot, operation, outcome);
    }
  }

  private Row updated(int slot, WriteOperation operation, UpdateOutcome outcome) {
    byte[] bytes = outcome.source();
    answered.ask(slot, bytes.length);
    String routing = outcome.routing();
    return new Row(
        slot,
        operation.id(),
        Objects.requireNonNull(outcome.kind()),
        outcome.condition(),
        false,
        new DocumentSource(operation.id(), routing, bytes, 0, bytes.length),
        mappings.keepsSource() ? new VersionMap.Source(bytes, routing) : null);
  }

  private void done(Row row) {
    if (row.isDelete()) {
      engine.counters.deleted.increment();
    } else {
      engine.counters.indexed.increment();
    }
    results[row.slot] =
        new WriteResult.Done(
            row.id,
            row.effect,
            row.seqNo,
            row.primaryTerm,
            row.version,
            row.kept != null && answered.isShown(row.slot) ? row.kept.bytes() : null);
  }

  private void refuse(int slot, Refusal refusal) {
    engine.counters.indexFailed.increment();
    results[slot] = new WriteResult.Refused(id(slot), refusal);
  }

  private String id(int slot) {
    return operations.get(slot).id();
  }

  private <T> T inPool(Callable<T> work) throws IOException, InterruptedException {
    return Pools.call(writing, work);
  }
}
