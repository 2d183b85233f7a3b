package dev.holdfast.indexing.recovery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.Mapping;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.version.Row;
import dev.holdfast.indexing.version.VersionRules.Current;
import dev.holdfast.indexing.write.DocumentScan;
import dev.holdfast.indexing.write.DocumentScan.Scanned;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Some of the ids of a shard whose log is replayed (§5): the batch that is being collected, in
/// which the newest operation of an id stands for those before it, and its way into Lucene. Used by
/// one thread at a time.
final class ReplayLane {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayLane.class);
  private static final long BATCH_BYTES_MAX = 8 << 20;

  private final ShardEngine engine;
  private final WriteMapping mappings;
  private final int rowsMax;
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private long bytes;
  private long superseded;
  private long replayed;

  ReplayLane(ShardEngine engine, WriteMapping mappings, int rowsMax) {
    this.engine = engine;
    this.mappings = mappings;
    this.rowsMax = rowsMax;
  }

  /// Returns whether the batch is full.
  boolean add(Row row) {
    bytes += row.source == null ? 0 : row.source.length();
    Row before = rows.get(row.id);
    superseded += before == null ? 0 : 1;
    if (before == null || before.seqNo < row.seqNo) {
      rows.put(row.id, row);
    }
    return rows.size() >= rowsMax || bytes >= BATCH_BYTES_MAX;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /// Operations applied, those included that a newer one of the same batch made needless.
  long replayed() {
    return replayed;
  }

  /// Applies the batch and begins the next; does neither when the mapping must grow first.
  ///
  /// @return what must be in the mapping first
  List<ObjectNode> apply(boolean mayGrow) throws IOException {
    List<Row> all = List.copyOf(rows.values());
    engine.documents.lookUp(all);
    List<Row> news = all.stream().filter(ReplayLane::isNews).toList();
    if (!news.isEmpty()) {
      Mapping mapping = mappings.newest();
      BatchBuilder builder = mappings.borrow(mapping);
      Scanned scanned = new DocumentScan(mapping, builder, mayGrow, null).scan(news);
      if (!scanned.growth().isEmpty()) {
        mappings.giveBack(mapping, builder);
        return scanned.growth();
      }
      toLucene(scanned.rows(), builder);
      mappings.giveBack(mapping, builder);
      if (!scanned.refused().isEmpty()) {
        toLuceneLeniently(news, scanned.refused());
      }
      engine.makeRoom();
    }
    replayed += news.size() + superseded;
    rows.clear();
    bytes = 0;
    superseded = 0;
    return List.of();
  }

  private static boolean isNews(Row row) {
    return switch (row.before) {
      case Current.Absent() -> true;
      case Current.Deleted deleted -> deleted.seqNo() < row.seqNo;
      case Current.Present present -> present.seqNo() < row.seqNo;
    };
  }

  /// Documents that were indexed once, under a mapping that was not as strict: opening the shard
  /// without them would lose them.
  ///
  /// @param why they are refused under the newest mapping
  private void toLuceneLeniently(List<Row> news, Map<Row, Refusal> why) throws IOException {
    List<Row> strict = news.stream().filter(why::containsKey).toList();
    Row first = strict.getFirst();
    Mapping lenient = mappings.lenient();
    BatchBuilder builder = lenient.newBatch();
    Scanned scanned = new DocumentScan(lenient, builder, false, null).scan(strict);
    if (!scanned.refused().isEmpty()) {
      throw new IOException(
          "a logged document can't be indexed again [shard="
              + engine.shard
              + ", id="
              + first.id
              + ", seq_no="
              + first.seqNo
              + "]",
          why.get(first));
    }
    LOG.warn(
        "logged documents are indexed as a mapping had them that was not as strict [shard={},"
            + " documents={}, id={}, seq_no={}, why={}]",
        engine.shard,
        strict.size(),
        first.id,
        first.seqNo,
        String.valueOf(why.get(first)));
    toLucene(scanned.rows(), builder);
  }

  private void toLucene(List<Row> rows, BatchBuilder builder) throws IOException {
    var refused = engine.toLucene(rows, builder);
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
  }
}
