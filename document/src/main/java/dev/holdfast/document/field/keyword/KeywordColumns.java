package dev.holdfast.document.field.keyword;

import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.field.TermText;
import dev.holdfast.document.scan.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.Column;
import org.jspecify.annotations.Nullable;

/// Columns of a `keyword`: the scanned bytes are the term.
final class KeywordColumns implements FieldColumns {
  private final String field;
  private final FieldType type;
  private final boolean isKept;
  private final int ignoreAbove;
  private final @Nullable String nullValue;
  private final @Nullable Analyzer normalizer;
  private final BytesRows terms = new BytesRows();

  KeywordColumns(
      String field,
      FieldType type,
      boolean isKept,
      int ignoreAbove,
      @Nullable String nullValue,
      @Nullable Analyzer normalizer) {
    this.field = field;
    this.type = type;
    this.isKept = isKept;
    this.ignoreAbove = ignoreAbove;
    this.nullValue = nullValue;
    this.normalizer = normalizer;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    TermText.requireScalar(value);
    // A character has at least one byte: most values are short enough without counting.
    if (value.length() > ignoreAbove && (value.isAscii() || value.text().length() > ignoreAbove)) {
      return false;
    }
    if (!isKept) {
      return true; // only the source has it, however long it is
    }
    if (normalizer == null) {
      TermText.checkLength(field, value.bytes(), value.offset(), value.length());
      terms.add(row, value.bytes(), value.offset(), value.length());
    } else {
      addNormalized(row, normalizer, value.text());
    }
    return true;
  }

  private void addNormalized(int row, Analyzer by, String text) {
    byte[] bytes = Normalizers.apply(by, field, text).getBytes(StandardCharsets.UTF_8);
    TermText.checkLength(field, bytes, 0, bytes.length);
    terms.add(row, bytes, 0, bytes.length);
  }

  @Override
  public boolean addNull(int row) {
    if (nullValue == null) {
      return false;
    }
    if (normalizer == null) {
      terms.add(row, nullValue);
    } else {
      addNormalized(row, normalizer, nullValue);
    }
    return true;
  }

  @Override
  public void truncate(int row) {
    terms.truncate(row);
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    if (terms.count() > 0 && isKept) {
      columns.accept(new BytesColumn(field, type, terms, rows));
    }
  }

  @Override
  public void clear() {
    terms.clear();
  }
}
