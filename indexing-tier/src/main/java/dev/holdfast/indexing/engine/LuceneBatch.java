package dev.holdfast.indexing.engine;

import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.indexing.version.Row;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Rows with their numbers and versions, given to Lucene: deletes first, then all documents with
/// the deletes of what they replace in one call; one by one when Lucene refuses that call. The
/// caller keeps commits out meanwhile ([ShardEngine]'s gate), so that a commit has all rows or
/// none.
final class LuceneBatch {
  private static final Logger LOG = LoggerFactory.getLogger(LuceneBatch.class);

  private final IndexWriter writer;
  private final List<Row> rows;
  private final BatchBuilder builder;

  /// @param rows unique ids; those that are no deletes are in `builder`
  LuceneBatch(IndexWriter writer, List<Row> rows, BatchBuilder builder) {
    this.writer = writer;
    this.rows = rows;
    this.builder = builder;
  }

  /// Puts rows that have been scanned into an emptied builder, without those that were with them.
  /// One for which there is no memory this time is taken out of the rows; it has no number yet.
  ///
  /// @param refused gets why
  static void scanAgain(List<Row> rows, BatchBuilder builder, Map<Row, Refusal> refused) {
    builder.clear();
    rows.removeIf(row -> {
      Refusal why = row.source == null ? null : scan(row, row.source, builder);
      if (why != null) {
        refused.put(row, why);
      }
      return why != null;
    });
  }

  private static @Nullable Refusal scan(Row row, DocumentSource source, BatchBuilder builder) {
    BatchBuilder.Outcome outcome = builder.add(source);
    if (outcome instanceof BatchBuilder.Outcome.Refused(Refusal why)) {
      return why;
    }
    Promise.keep(
        outcome instanceof BatchBuilder.Outcome.Added,
        "a document that was scanned needs no mapping",
        "id",
        row.id);
    row.batchRow = builder.rows() - 1;
    return null;
  }

  /// Writes all rows and returns why those that Lucene itself refused were refused; normally none.
  ///
  /// @throws IOException the writer is broken: the shard fails
  Map<Row, Refusal> write() throws IOException {
    List<BytesRef> replaced = new ArrayList<>();
    List<Term> deleted = new ArrayList<>();
    for (Row row : rows) {
      if (row.isDelete()) {
        if (row.replaces()) {
          deleted.add(new Term(MetadataFields.ID, new BytesRef(row.id)));
        }
      } else {
        builder.identify(row.batchRow, row.seqNo, row.primaryTerm, row.version);
        if (row.replaces()) {
          replaced.add(new BytesRef(row.id));
        }
      }
    }
    if (!deleted.isEmpty()) {
      writer.deleteDocuments(deleted.toArray(Term[]::new));
    }
    try {
      addAll(replaced);
      return Map.of();
    } catch (IllegalArgumentException | Refusal e) {
      LOG.warn("Lucene refused a batch, its documents are tried one by one", e);
      return writeOneByOne();
    }
  }

  private void addAll(List<BytesRef> replaced) throws IOException {
    if (builder.rows() == 0) {
      return;
    }
    switch (replaced.size()) {
      case 0 -> writer.addBatch(builder.columns());
      case 1 ->
          writer.updateDocuments(
              new Term(MetadataFields.ID, replaced.getFirst()), builder.columns());
      default -> writer.updateDocuments(new IdsQuery(sorted(replaced)), builder.columns());
    }
  }

  private static List<BytesRef> sorted(List<BytesRef> ids) {
    List<BytesRef> sorted = new ArrayList<>(ids);
    sorted.sort(null);
    return sorted;
  }

  private Map<Row, Refusal> writeOneByOne() throws IOException {
    Map<Row, Refusal> refused = new HashMap<>();
    for (Row row : rows) {
      if (row.source != null) {
        builder.clear();
        Refusal noMemory = scan(row, row.source, builder);
        if (noMemory != null) {
          refused.put(row, noMemory); // its words were asked for before, and Lucene's beside them
          continue;
        }
        builder.identify(row.batchRow, row.seqNo, row.primaryTerm, row.version);
        try {
          addAll(row.replaces() ? List.of(new BytesRef(row.id)) : List.of());
        } catch (Refusal e) {
          refused.put(row, e);
        } catch (IllegalArgumentException e) {
          refused.put(
              row, new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e));
        }
      }
    }
    return refused;
  }
}
