package dev.holdfast.document;

import dev.holdfast.document.scan.JsonValue;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;

/// The values of one field in one batch of documents, as they are scanned, and the Lucene columns
/// made of them. Made once a field and batch builder, cleared and used again; adding a value
/// allocates nothing.
public interface FieldColumns {
  /// Adds the value for a row; called once for each element of an array, rows ascending. JSON null
  /// comes by [#addNull].
  ///
  /// @return whether it was kept; false when it was ignored (`ignore_above`, `ignore_malformed`):
  ///   the field's name goes into `_ignored` then
  /// @throws dev.holdfast.world.Refusal `document_parsing_exception` when the value can't be one of
  ///   this field
  boolean add(int row, JsonValue value);

  /// A JSON null for a row: the field's `null_value` where it has one.
  ///
  /// @return whether a value was added
  default boolean addNull(int row) {
    return false;
  }

  /// Adds a value that a script made, as doc values have it; for kinds whose texts would lose some
  /// of it.
  default void addMade(int row, long docValue) {
    throw new IllegalStateException("values of this kind are added as JSON");
  }

  /// Tells which document the following values are of; called for each when [#readsDocument].
  default void document(DocumentSource document) {}

  /// Whether values mean something only together with their document's id or routing.
  default boolean readsDocument() {
    return false;
  }

  /// Forgets all values of `row` and later rows: the document was refused.
  void truncate(int row);

  /// Hands over the Lucene columns of rows `[0, rows)`; called once when the batch is complete.
  /// Columns without a value in any row are left out.
  void finish(int rows, Consumer<Column> columns);

  /// Forgets everything.
  void clear();
}
