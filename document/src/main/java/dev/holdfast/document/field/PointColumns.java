package dev.holdfast.document.field;

import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.Column;
import org.jspecify.annotations.Nullable;

/// Columns of fields whose values are byte strings of one length: points and sorted-set doc values
/// of the same bytes.
public final class PointColumns implements FieldColumns {
  /// Reads one value of a document into `to`.
  public interface Reader {
    /// @throws Refusal when it isn't one of the field
    void read(JsonValue value, byte[] to);
  }

  private final String field;
  private final FieldType type;
  private final Reader reader;
  private final byte @Nullable [] nullValue;
  private final Predicate<JsonValue> ignored;
  private final byte[] scratch;
  private final boolean isKept;
  private final BytesRows values = new BytesRows();

  /// @param isKept whether the type has any feature
  /// @param ignored which values are ignored when they are malformed
  public PointColumns(
      String field,
      FieldType type,
      boolean isKept,
      int bytes,
      Reader reader,
      byte @Nullable [] nullValue,
      Predicate<JsonValue> ignored) {
    this.field = field;
    this.type = type;
    this.isKept = isKept;
    this.reader = reader;
    this.nullValue = nullValue;
    this.ignored = ignored;
    this.scratch = new byte[bytes];
  }

  @Override
  public boolean add(int row, JsonValue value) {
    try {
      reader.read(value, scratch);
    } catch (Refusal malformed) {
      if (ignored.test(value)) {
        return false;
      }
      throw malformed;
    }
    values.add(row, scratch, 0, scratch.length);
    return true;
  }

  @Override
  public boolean addNull(int row) {
    if (nullValue == null) {
      return false;
    }
    values.add(row, nullValue, 0, nullValue.length);
    return true;
  }

  @Override
  public void truncate(int row) {
    values.truncate(row);
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    if (values.count() > 0 && isKept) {
      columns.accept(new BytesColumn(field, type, values, rows));
    }
  }

  @Override
  public void clear() {
    values.clear();
  }
}
