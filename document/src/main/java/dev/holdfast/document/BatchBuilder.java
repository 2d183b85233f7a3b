package dev.holdfast.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Refusal;
import org.apache.lucene.document.column.ColumnBatch;

/// Collects documents of one shard into columns, in one streaming pass over their bytes each. Rows
/// are numbered from 0.
public interface BatchBuilder {
  /// Scans a document into the next row.
  Outcome add(DocumentSource document);

  /// Rows so far.
  int rows();

  /// Sets what a row is in the shard's history; once for each row before [#columns].
  void identify(int row, long seqNo, long primaryTerm, long version);

  /// All rows as Lucene columns, metadata fields included. The builder must not be touched until
  /// Lucene has consumed them.
  ColumnBatch columns();

  /// Forgets all rows.
  void clear();

  /// How adding a document ended.
  sealed interface Outcome {
    /// It is row `row`.
    record Added(int row) implements Outcome {}

    /// It has fields the mapping lacks: merge the update (dynamic mapping), make a new builder and
    /// add it again. No row was added.
    record NeedsMapping(ObjectNode update) implements Outcome {}

    /// It can't be indexed; no row was added.
    record Refused(Refusal refusal) implements Outcome {}
  }
}
