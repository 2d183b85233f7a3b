package dev.holdfast.indexing.recovery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.Pools;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.version.Row;
import dev.holdfast.translog.Operation;
import dev.holdfast.world.WorkPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;

/// Operations of a dead node's log, applied on top of the commit that a shard is recovered from
/// (§5). Each keeps the number, term and version it was acknowledged with. An operation is skipped
/// when the shard has its document at the same or a higher number, deletes included: so order does
/// not matter, and what the commit has already is not done twice.
///
/// Ids are dealt out to lanes, whose batches are applied side by side, as those of several clients
/// are when documents are written. Shards with more than a batch take turns, each with all
/// processors: on average they are back sooner than if all went at once.
final class Replaying implements AutoCloseable {
  private final IndexingConfig config;
  private final WorkPool writing;
  private final ShardEngine engine;
  private final WriteMapping mappings;
  private final long committedSeqNo;
  private final Semaphore turn;
  private final List<ReplayLane> lanes = new ArrayList<>();
  private boolean isOurTurn;

  /// @param committedSeqNo every operation up to it is in the commit
  /// @param turn of one shard of the node
  Replaying(
      IndexingConfig config,
      WorkPool writing,
      ShardEngine engine,
      WriteMapping mappings,
      long committedSeqNo,
      Semaphore turn) {
    this.config = config;
    this.writing = writing;
    this.engine = engine;
    this.mappings = mappings;
    this.committedSeqNo = committedSeqNo;
    this.turn = turn;
    for (int lane = 0; lane < config.threads(); lane++) {
      lanes.add(new ReplayLane(engine, mappings, config.rowsMax()));
    }
  }

  /// Takes operations of one file of the log, in order.
  void accept(long primaryTerm, List<Operation> operations)
      throws IOException, InterruptedException {
    List<Operation> lacking =
        operations.stream().filter(operation -> operation.seqNo() > committedSeqNo).toList();
    engine.recent.replayed(primaryTerm, lacking);
    for (Operation operation : lacking) {
      Row row = row(primaryTerm, operation);
      engine.numbers.advanceTo(row.seqNo);
      if (laneOf(row).add(row)) {
        awaitTurn();
        applyBatches();
      }
    }
  }

  /// Applies what is left and returns how many operations were replayed.
  long finish() throws IOException, InterruptedException {
    applyBatches();
    if (isOurTurn && lanes.size() > 1) {
      // The commit that follows would write what they buffered one after the other.
      List<Callable<Boolean>> flushes =
          Collections.nCopies(lanes.size(), engine.writer::flushNextBuffer);
      var _ = Pools.callAll(writing, flushes);
    }
    return lanes.stream().mapToLong(ReplayLane::replayed).sum();
  }

  /// A little is not worth several lanes: each leaves a segment.
  private ReplayLane laneOf(Row row) {
    return isOurTurn ? lanes.get(Math.floorMod(row.id.hashCode(), lanes.size())) : lanes.getFirst();
  }

  private void awaitTurn() throws InterruptedException {
    if (!isOurTurn) {
      turn.acquire();
      isOurTurn = true;
    }
  }

  /// The next shard may go on.
  @Override
  public void close() {
    if (isOurTurn) {
      turn.release();
      isOurTurn = false;
    }
  }

  private static Row row(long primaryTerm, Operation operation) {
    Row row =
        switch (operation) {
          case Operation.Index index ->
              new Row(
                  -1,
                  index.id(),
                  Kind.INDEX,
                  Condition.NONE,
                  false,
                  new DocumentSource(
                      index.id(), index.routing(), index.bytes(), index.offset(), index.length()),
                  null);
          case Operation.Delete delete ->
              new Row(-1, delete.id(), Kind.DELETE, Condition.NONE, false, null, null);
        };
    row.seqNo = operation.seqNo();
    row.primaryTerm = primaryTerm;
    row.version = operation.version();
    return row;
  }

  private void applyBatches() throws IOException, InterruptedException {
    int rounds = 0;
    while (true) {
      boolean mayGrow = rounds++ < config.mappingRoundsMax();
      List<Callable<List<ObjectNode>>> batches = new ArrayList<>();
      for (ReplayLane lane : lanes) {
        if (!lane.isEmpty()) {
          batches.add(() -> lane.apply(mayGrow));
        }
      }
      List<ObjectNode> growth = new ArrayList<>();
      for (List<ObjectNode> ofLane : Pools.callAll(writing, batches)) {
        growth.addAll(ofLane);
      }
      if (growth.isEmpty()) {
        return;
      }
      mappings.grow(growth);
    }
  }
}
