package dev.holdfast.document.field.object;

import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;

/// Columns of a `percolator`: the JSON of the query as binary doc values, one a document.
final class PercolatorColumns implements FieldColumns {
  private final String field;
  private final BytesRows queries = new BytesRows();

  PercolatorColumns(String field) {
    this.field = field;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    if (value.kind() != JsonValue.Kind.OBJECT) {
      throw Refusal.badArgument("query malformed, must start with start_object");
    }
    if (queries.count() > 0 && queries.row(queries.count() - 1) == row) {
      throw Refusal.badArgument("a document can only contain one percolator query");
    }
    byte[] query = Json.bytes(value.tree());
    queries.add(row, query, 0, query.length);
    return true;
  }

  @Override
  public void truncate(int row) {
    queries.truncate(row);
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    if (queries.count() > 0) {
      columns.accept(new BytesColumn(field, ColumnTypes.binary(), queries, rows));
    }
  }

  @Override
  public void clear() {
    queries.clear();
  }
}
