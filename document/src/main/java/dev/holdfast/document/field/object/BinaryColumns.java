package dev.holdfast.document.field.object;

import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.field.TermText;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;

/// Columns of a `binary`: the decoded bytes, one value a document.
final class BinaryColumns implements FieldColumns {
  /// Base64 comes in groups of so many.
  private static final int CHARACTERS = 4;

  private final String field;
  private final boolean hasDocValues;
  private final boolean isRead;
  private final boolean isLenient;
  private final BytesRows values = new BytesRows();

  /// @param isRead whether values are looked at, beyond what `_source` says
  /// @param isLenient whether numbers, and texts without their padding, are read
  BinaryColumns(String field, boolean hasDocValues, boolean isRead, boolean isLenient) {
    this.field = field;
    this.isLenient = isLenient;
    this.isRead = isRead;
    this.hasDocValues = hasDocValues;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    TermText.requireScalar(value);
    if (!isRead) {
      return true;
    }
    if (!isLenient) {
      requireWhole(value);
    }
    byte[] decoded;
    try {
      decoded =
          Base64.getDecoder()
              .decode(
                  Arrays.copyOfRange(
                      value.bytes(), value.offset(), value.offset() + value.length()));
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument("Illegal base64: " + e.getMessage());
    }
    if (!hasDocValues) {
      return true;
    }
    if (values.count() > 0 && values.row(values.count() - 1) == row) {
      throw Refusal.badArgument(
          "[binary] field [" + field + "] with doc values takes one value a document");
    }
    values.add(row, decoded, 0, decoded.length);
    return true;
  }

  private static void requireWhole(JsonValue value) {
    if (value.kind() != JsonValue.Kind.STRING) {
      throw Refusal.badArgument(
          "Current token (VALUE_" + value.kind() + ") is no string, can not access as binary");
    }
    if (value.length() % CHARACTERS != 0) {
      throw Refusal.badArgument("Illegal base64: padding [=] is missing at the end");
    }
  }

  @Override
  public void truncate(int row) {
    values.truncate(row);
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    if (values.count() > 0) {
      columns.accept(new BytesColumn(field, ColumnTypes.binary(), values, rows));
    }
  }

  @Override
  public void clear() {
    values.clear();
  }
}
