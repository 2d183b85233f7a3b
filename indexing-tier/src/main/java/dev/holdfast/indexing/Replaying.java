package dev.holdfast.indexing;

import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.indexing.VersionRules.Current;
import dev.holdfast.indexing.WriteOperation.Condition;
import dev.holdfast.indexing.WriteOperation.Kind;
import dev.holdfast.indexing.Writing.Scanned;
import dev.holdfast.translog.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Operations of a dead node's log, applied on top of the commit that a shard is recovered from
/// (§5). Each keeps the number, term and version it was acknowledged with. An operation is skipped
/// when the shard has its document at the same or a higher number, deletes included: so order does
/// not matter, and what the commit has already is not done twice.
final class Replaying {
  private static final Logger LOG = LoggerFactory.getLogger(Replaying.class);
  private static final long BATCH_BYTES_MAX = 8 << 20;

  private final NodeParts node;
  private final ShardEngine engine;
  private final IndexMapping mappings;
  private final long committedSeqNo;
  private final List<Row> rows = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private long bytes;
  private long replayed;

  /// @param committedSeqNo every operation up to it is in the commit
  Replaying(NodeParts node, ShardEngine engine, IndexMapping mappings, long committedSeqNo) {
    this.node = node;
    this.engine = engine;
    this.mappings = mappings;
    this.committedSeqNo = committedSeqNo;
  }

  /// Takes operations of one file of the log, in order.
  void accept(long primaryTerm, List<Operation> operations)
      throws IOException, InterruptedException {
    for (Operation operation : operations) {
      if (operation.seqNo() > committedSeqNo) {
        add(primaryTerm, operation);
      }
    }
  }

  /// Applies what is left and returns how many operations were replayed.
  long finish() throws IOException, InterruptedException {
    applyBatch();
    return replayed;
  }

  private void add(long primaryTerm, Operation operation) throws IOException, InterruptedException {
    Row row = row(primaryTerm, operation);
    if (!ids.add(row.id)) {
      applyBatch();
      ids.add(row.id);
    }
    rows.add(row);
    bytes += row.source == null ? 0 : row.source.length();
    engine.numbers.advanceTo(row.seqNo);
    if (rows.size() >= node.config().rowsMax() || bytes >= BATCH_BYTES_MAX) {
      applyBatch();
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
    row.version =
        switch (operation) {
          case Operation.Index index -> index.version();
          case Operation.Delete delete -> delete.version();
        };
    return row;
  }

  private void applyBatch() throws IOException, InterruptedException {
    engine.documents.lookUp(rows);
    List<Row> news = rows.stream().filter(Replaying::isNews).toList();
    replayed += news.size();
    int rounds = 0;
    boolean isApplied = news.isEmpty();
    while (!isApplied) {
      isApplied = tryApply(news, rounds++ < node.config().mappingRoundsMax());
    }
    rows.clear();
    ids.clear();
    bytes = 0;
  }

  private static boolean isNews(Row row) {
    return switch (row.before) {
      case Current.Absent() -> true;
      case Current.Deleted deleted -> deleted.seqNo() < row.seqNo;
      case Current.Present present -> present.seqNo() < row.seqNo;
    };
  }

  private boolean tryApply(List<Row> news, boolean mayGrow)
      throws IOException, InterruptedException {
    Mapping mapping = mappings.newest();
    BatchBuilder builder = mappings.borrow(mapping);
    Scanned scanned =
        Pools.call(node.writing(), () -> new Scan(mapping, builder, mayGrow).scan(news));
    if (!scanned.growth().isEmpty()) {
      mappings.grow(scanned.growth());
      return false;
    }
    if (!scanned.refused().isEmpty()) {
      // It was indexed once, so this is our fault; opening the shard without it would lose it.
      var first = scanned.refused().entrySet().iterator().next();
      throw new IOException(
          "a logged document can't be indexed again [shard="
              + engine.shard
              + ", id="
              + first.getKey().id
              + ", seq_no="
              + first.getKey().seqNo
              + "]",
          first.getValue());
    }
    var refused = Pools.call(node.writing(), () -> engine.toLucene(scanned.rows(), builder));
    refused.forEach((row, refusal) ->
        LOG.error(
            "Lucene refuses a logged document [shard={}, id={}, seq_no={}]",
            engine.shard,
            row.id,
            row.seqNo,
            refusal));
    if (!refused.isEmpty()) {
      throw new IOException("Lucene refuses logged documents [shard=" + engine.shard + "]");
    }
    mappings.giveBack(mapping, builder);
    engine.makeRoom();
    return true;
  }
}
