package dev.holdfast.document.field.number;

import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.column.LongRows;
import dev.holdfast.document.column.LongsColumn;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.document.column.LongColumn.NumericKind;
import org.apache.lucene.index.IndexOptions;
import org.jspecify.annotations.Nullable;

/// Columns of a `boolean`: a term and a number a value.
final class BooleanColumns implements FieldColumns {
  private static final byte[] TERMS = {'F', 'T'};

  private final String field;
  private final boolean isIndexed;
  private final NumberColumns.Reader reader;
  private final @Nullable Boolean nullValue;
  private final boolean ignoresMalformed;
  private final BytesRows terms = new BytesRows();
  private final LongRows longs = new LongRows();
  private final boolean hasDocValues;

  BooleanColumns(
      String field,
      boolean isIndexed,
      boolean hasDocValues,
      NumberColumns.Reader reader,
      @Nullable Boolean nullValue,
      boolean ignoresMalformed) {
    this.field = field;
    this.isIndexed = isIndexed;
    this.hasDocValues = hasDocValues;
    this.reader = reader;
    this.nullValue = nullValue;
    this.ignoresMalformed = ignoresMalformed;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    long bit;
    try {
      bit = reader.read(value);
    } catch (Refusal malformed) {
      if (ignoresMalformed && value.kind() != JsonValue.Kind.OBJECT) {
        return false;
      }
      throw malformed;
    }
    put(row, bit);
    return true;
  }

  @Override
  public boolean addNull(int row) {
    if (nullValue == null) {
      return false;
    }
    put(row, nullValue ? 1 : 0);
    return true;
  }

  private void put(int row, long bit) {
    if (isIndexed) {
      terms.add(row, TERMS, (int) bit, 1);
    }
    if (hasDocValues) {
      longs.add(row, bit);
    }
  }

  @Override
  public void truncate(int row) {
    terms.truncate(row);
    longs.truncate(row);
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    if (terms.count() > 0) {
      columns.accept(
          new BytesColumn(field, ColumnTypes.terms(IndexOptions.DOCS, false, false), terms, rows));
    }
    if (longs.count() > 0) {
      columns.accept(
          new LongsColumn(
              field, ColumnTypes.numbers(true, false, 0, false), NumericKind.LONG, longs, rows));
    }
  }

  @Override
  public void clear() {
    terms.clear();
    longs.clear();
  }
}
