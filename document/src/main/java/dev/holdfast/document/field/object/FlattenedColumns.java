package dev.holdfast.document.field.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.TermValues;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.field.TermText;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.Column;
import org.jspecify.annotations.Nullable;

/// Columns of a `flattened`: every value of the object as a term, and again with its key before it.
final class FlattenedColumns implements FieldColumns {
  private final String field;
  private final FieldType type;
  private final int depthMax;
  private final int ignoreAbove;
  private final @Nullable String nullValue;
  private final BytesRows values = new BytesRows();
  private final BytesRows keyed = new BytesRows();

  FlattenedColumns(
      String field, FieldType type, int depthMax, int ignoreAbove, @Nullable String nullValue) {
    this.field = field;
    this.type = type;
    this.depthMax = depthMax;
    this.ignoreAbove = ignoreAbove;
    this.nullValue = nullValue;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    if (value.kind() != JsonValue.Kind.OBJECT) {
      throw Refusal.badArgument(
          "Failed to parse object: expecting token of type [START_OBJECT] but found [VALUE_"
              + value.kind()
              + "]");
    }
    return object(row, "", value.tree(), 1);
  }

  private boolean object(int row, String path, JsonNode object, int depth) {
    if (depth > depthMax) {
      throw Refusal.badArgument(
          "The provided [flattened] field ["
              + field
              + "] exceeds the maximum depth limit of ["
              + depthMax
              + "].");
    }
    boolean isKept = true;
    for (var member : object.properties()) {
      String key = path.isEmpty() ? member.getKey() : path + "." + member.getKey();
      isKept &= member(row, key, member.getValue(), depth);
    }
    return isKept;
  }

  private boolean member(int row, String key, JsonNode value, int depth) {
    if (value.isObject()) {
      return object(row, key, value, depth + 1);
    }
    if (value.isArray()) {
      boolean isKept = true;
      for (JsonNode element : value) {
        isKept &= member(row, key, element, depth);
      }
      return isKept;
    }
    String text = value.isNull() ? nullValue : value.asText();
    return text == null || put(row, key, text);
  }

  private boolean put(int row, String key, String text) {
    if (text.length() > ignoreAbove) {
      return false;
    }
    if (key.indexOf('\0') >= 0) {
      throw Refusal.badArgument(
          "Do not include the null byte in keys of a [flattened] field: [" + field + "]");
    }
    byte[] bytes = (key + "\0" + text).getBytes(StandardCharsets.UTF_8);
    TermText.checkLength(field, bytes, 0, bytes.length);
    keyed.add(row, bytes, 0, bytes.length);
    values.add(row, text);
    return true;
  }

  @Override
  public void truncate(int row) {
    values.truncate(row);
    keyed.truncate(row);
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    if (values.count() > 0) {
      columns.accept(new BytesColumn(field, type, values, rows));
      columns.accept(new BytesColumn(field + TermValues.KEYED, type, keyed, rows));
    }
  }

  @Override
  public void clear() {
    values.clear();
    keyed.clear();
  }
}
