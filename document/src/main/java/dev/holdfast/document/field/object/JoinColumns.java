package dev.holdfast.document.field.object;

import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.Relations;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.util.function.Consumer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.Column;
import org.jspecify.annotations.Nullable;

/// Columns of a `join`: the kinds of documents, or the ids of the parents of one kind.
final class JoinColumns implements FieldColumns {
  private final String field;
  private final String column;
  private final FieldType type;
  private final Relations relations;
  private final @Nullable String parentKind;
  private final BytesRows terms = new BytesRows();
  private @Nullable DocumentSource document;

  /// @param field the `join` field
  /// @param column Lucene's field
  /// @param parentKind whose ids are written; null to write the kinds
  JoinColumns(
      String field,
      String column,
      FieldType type,
      Relations relations,
      @Nullable String parentKind) {
    this.field = field;
    this.column = column;
    this.type = type;
    this.relations = relations;
    this.parentKind = parentKind;
  }

  @Override
  public void document(DocumentSource source) {
    document = source;
  }

  @Override
  public boolean readsDocument() {
    return true;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    JoinValue join = JoinValue.of(field, value);
    DocumentSource of = document;
    if (of == null) {
      Promise.keep(false, "a join is told its document", "field", field);
      throw new IllegalStateException();
    }
    if (parentKind == null) {
      check(join, of);
      terms.add(row, join.kind());
    } else if (parentKind.equals(join.kind())) {
      terms.add(row, of.id());
    } else if (parentKind.equals(relations.parentOf(join.kind())) && join.parent() != null) {
      terms.add(row, join.parent());
    }
    return true;
  }

  private void check(JoinValue join, DocumentSource of) {
    if (!relations.has(join.kind())) {
      throw Refusal.badArgument(
          "unknown join name [" + join.kind() + "] for field [" + field + "]");
    }
    if (relations.parentOf(join.kind()) != null) {
      if (join.parent() == null) {
        throw Refusal.badArgument("[parent] is missing for join field [" + field + "]");
      }
      if (of.routing() == null) {
        throw Refusal.badArgument("[routing] is missing for join field [" + field + "]");
      }
    }
  }

  @Override
  public void truncate(int row) {
    terms.truncate(row);
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    if (terms.count() > 0) {
      columns.accept(new BytesColumn(column, type, terms, rows));
    }
  }

  @Override
  public void clear() {
    terms.clear();
    document = null;
  }
}
