package dev.holdfast.document.field.number;

import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.LongRows;
import dev.holdfast.document.column.LongsColumn;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.util.function.Consumer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.document.column.LongColumn.NumericKind;
import org.apache.lucene.index.DocValuesType;
import org.jspecify.annotations.Nullable;

/// Columns of fields whose values are sortable longs.
public final class NumberColumns implements FieldColumns {
  /// Reads one value of a document.
  public interface Reader {
    /// @throws Refusal when it isn't one of the field
    long read(JsonValue value);
  }

  private final String field;
  private final FieldType type;
  private final NumericKind kind;
  private final Reader reader;
  private final @Nullable Long nullValue;
  private final boolean ignoresMalformed;
  private final boolean ignoresObjects;
  private final boolean emptyIsNull;
  private final LongRows longs = new LongRows();

  /// @param ignoresMalformed whether what is no value of the field is left out
  /// @param ignoresObjects whether objects are left out then, too
  /// @param emptyIsNull whether an empty text stands for null
  public NumberColumns(
      String field,
      FieldType type,
      Reader reader,
      @Nullable Long nullValue,
      boolean ignoresMalformed,
      boolean ignoresObjects,
      boolean emptyIsNull) {
    this.field = field;
    this.type = type;
    this.kind = type.pointNumBytes() == Integer.BYTES ? NumericKind.INT : NumericKind.LONG;
    this.reader = reader;
    this.nullValue = nullValue;
    this.ignoresMalformed = ignoresMalformed;
    this.ignoresObjects = ignoresObjects;
    this.emptyIsNull = emptyIsNull;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    if (emptyIsNull && value.kind() == JsonValue.Kind.STRING && value.length() == 0) {
      addNull(row);
      return true;
    }
    long number;
    try {
      number = reader.read(value);
    } catch (Refusal malformed) {
      if (ignoresMalformed && (ignoresObjects || value.kind() != JsonValue.Kind.OBJECT)) {
        return false;
      }
      throw malformed;
    }
    longs.add(row, number);
    return true;
  }

  @Override
  public boolean addNull(int row) {
    if (nullValue == null) {
      return false;
    }
    longs.add(row, nullValue);
    return true;
  }

  @Override
  public void addMade(int row, long docValue) {
    longs.add(row, docValue);
  }

  @Override
  public void truncate(int row) {
    longs.truncate(row);
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    boolean isKept = type.docValuesType() != DocValuesType.NONE || type.pointDimensionCount() > 0;
    if (longs.count() > 0 && isKept) {
      columns.accept(new LongsColumn(field, type, kind, longs, rows));
    }
  }

  @Override
  public void clear() {
    longs.clear();
  }
}
