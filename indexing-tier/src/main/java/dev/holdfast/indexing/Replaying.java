package dev.holdfast.indexing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.indexing.WriteOperation.Condition;
import dev.holdfast.indexing.WriteOperation.Kind;
import dev.holdfast.translog.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

/// Operations of a dead node's log, applied on top of the commit that a shard is recovered from
/// (§5). Each keeps the number, term and version it was acknowledged with. An operation is skipped
/// when the shard has its document at the same or a higher number, deletes included: so order does
/// not matter, and what the commit has already is not done twice.
///
/// Ids are dealt out to lanes, whose batches are applied side by side, as those of several clients
/// are when documents are written.
final class Replaying {
  private final NodeParts node;
  private final ShardEngine engine;
  private final IndexMapping mappings;
  private final long committedSeqNo;
  private final List<ReplayLane> lanes = new ArrayList<>();

  /// @param committedSeqNo every operation up to it is in the commit
  /// @param laneCount threads that may work on it
  Replaying(
      NodeParts node,
      ShardEngine engine,
      IndexMapping mappings,
      long committedSeqNo,
      int laneCount) {
    this.node = node;
    this.engine = engine;
    this.mappings = mappings;
    this.committedSeqNo = committedSeqNo;
    for (int lane = 0; lane < laneCount; lane++) {
      lanes.add(new ReplayLane(engine, mappings, node.config().rowsMax()));
    }
  }

  /// Takes operations of one file of the log, in order.
  void accept(long primaryTerm, List<Operation> operations)
      throws IOException, InterruptedException {
    for (Operation operation : operations) {
      if (operation.seqNo() > committedSeqNo) {
        Row row = row(primaryTerm, operation);
        engine.numbers.advanceTo(row.seqNo);
        ReplayLane lane = lanes.get(Math.floorMod(row.id.hashCode(), lanes.size()));
        if (lane.add(row)) {
          applyBatches();
        }
      }
    }
  }

  /// Applies what is left and returns how many operations were replayed.
  long finish() throws IOException, InterruptedException {
    applyBatches();
    if (lanes.size() > 1) {
      // The commit that follows would write what they buffered one after the other.
      List<Callable<Boolean>> flushes =
          Collections.nCopies(lanes.size(), engine.writer::flushNextBuffer);
      var _ = Pools.callAll(node.writing(), flushes);
    }
    return lanes.stream().mapToLong(ReplayLane::replayed).sum();
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
    row.version =
        switch (operation) {
          case Operation.Index index -> index.version();
          case Operation.Delete delete -> delete.version();
        };
    return row;
  }

  private void applyBatches() throws IOException, InterruptedException {
    int rounds = 0;
    while (true) {
      boolean mayGrow = rounds++ < node.config().mappingRoundsMax();
      List<Callable<List<ObjectNode>>> batches = new ArrayList<>();
      for (ReplayLane lane : lanes) {
        if (!lane.isEmpty()) {
          batches.add(() -> lane.apply(mayGrow));
        }
      }
      List<ObjectNode> growth = new ArrayList<>();
      for (List<ObjectNode> ofLane : Pools.callAll(node.writing(), batches)) {
        growth.addAll(ofLane);
      }
      if (growth.isEmpty()) {
        return;
      }
      mappings.grow(growth);
    }
  }
}
