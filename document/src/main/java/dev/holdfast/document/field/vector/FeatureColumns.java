package dev.holdfast.document.field.vector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.column.FeatureColumn;
import dev.holdfast.document.column.LongRows;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.number.NumberKinds;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Columns of `rank_feature`, `rank_features` and `sparse_vector`.
final class FeatureColumns implements FieldColumns {
  private final String field;
  private final String typeName;
  private final boolean isPositive;
  private final boolean isMap;
  private final boolean isLenient;
  private final @Nullable Float nullValue;
  private final BytesRows names = new BytesRows();
  private final LongRows values = new LongRows();

  /// The greatest row that has features; -1 for none.
  private int rowMax = -1;

  /// Where the values of the features lie that a row has from objects before, by name: a term that
  /// came twice would have the sum of both frequencies, which is another number.
  private final Map<String, Integer> known = new HashMap<>();

  /// The row that they are of; -1 for none.
  private int knownRow = -1;

  /// @param isMap whether a value is an object of features; else one number
  /// @param isLenient whether documents are taken that earlier builds took
  /// @param nullValue what null stands for; null for nothing
  FeatureColumns(
      String field,
      String typeName,
      boolean isPositive,
      boolean isMap,
      boolean isLenient,
      @Nullable Float nullValue) {
    this.isLenient = isLenient;
    this.field = field;
    this.typeName = typeName;
    this.isPositive = isPositive;
    this.isMap = isMap;
    this.nullValue = nullValue;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    if (isMap) {
      addAll(row, value);
    } else {
      putOnly(row, (float) NumberKinds.floating(value, true));
    }
    return true;
  }

  private void putOnly(int row, float value) {
    if (names.count() > 0 && names.row(names.count() - 1) == row) {
      throw Refusal.badArgument(
          "["
              + typeName
              + "] fields do not support indexing multiple values for the same field ["
              + field
              + "] in the same document");
    }
    put(row, field, value);
  }

  @Override
  public boolean addNull(int row) {
    if (isMap && !isLenient) {
      Refusal cause =
          Refusal.badArgument(
              "["
                  + typeName
                  + "] fields must be json objects, expected a START_OBJECT but got: VALUE_NULL");
      throw new Refusal(ErrorType.DOCUMENT_PARSING, "failed to parse: " + cause.reason(), cause);
    }
    if (nullValue == null) {
      return false;
    }
    putOnly(row, nullValue);
    return true;
  }

  private void addAll(int row, JsonValue value) {
    if (value.kind() != JsonValue.Kind.OBJECT) {
      throw Refusal.badArgument(
          "["
              + typeName
              + "] fields must be json objects, expected a START_OBJECT but got: VALUE_"
              + value.kind());
    }
    if (row <= rowMax) {
      know(row);
    }
    for (Map.Entry<String, JsonNode> feature : value.tree().properties()) {
      JsonNode weight = feature.getValue();
      if (weight.isNull()) {
        continue;
      }
      if (!weight.isNumber() && !weight.isTextual()) {
        throw Refusal.badArgument(
            "["
                + typeName
                + "] fields take hashes that map a feature to a strictly positive float, but got"
                + " unexpected token "
                + weight);
      }
      try {
        put(row, feature.getKey(), Float.parseFloat(weight.asText()));
      } catch (NumberFormatException e) {
        throw QueryFaults.notANumber(weight.asText());
      }
    }
  }

  private void put(int row, String name, float value) {
    float kept = isPositive ? value : 1 / value;
    if (!(kept >= Float.MIN_NORMAL && kept <= Float.MAX_VALUE)) {
      throw Refusal.badArgument(
          "featureValue must be a positive normal float, got: "
              + value
              + " for feature "
              + name
              + " on field "
              + field
              + " which is less than the minimum positive normal float: "
              + Float.MIN_NORMAL);
    }
    int bits = Float.floatToIntBits(kept);
    Integer before = row == knownRow ? known.putIfAbsent(name, names.count()) : null;
    if (before == null) {
      names.add(row, name);
      values.add(row, bits);
      rowMax = Math.max(rowMax, row);
    } else if (typeName.equals("rank_features") && !isLenient) {
      throw Refusal.badArgument(
          "[rank_features] fields do not support indexing multiple values for the same rank feature"
              + " ["
              + field
              + "."
              + name
              + "] in the same document");
    } else if (values.value(before) < bits) {
      values.set(before, bits); // the greater one, as bits of positive floats are ordered
    }
  }

  private void know(int row) {
    if (row == knownRow) {
      return;
    }
    known.clear();
    knownRow = row;
    BytesRef view = new BytesRef();
    for (int i = names.since(row); i < names.count(); i++) {
      if (names.row(i) == row) {
        names.get(i, view);
        known.put(view.utf8ToString(), i);
      }
    }
  }

  private void forget() {
    known.clear();
    knownRow = -1;
  }

  @Override
  public void truncate(int row) {
    names.truncate(row);
    values.truncate(row);
    rowMax = Math.min(rowMax, row - 1);
    forget();
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    if (names.count() > 0) {
      columns.accept(new FeatureColumn(field, names, values));
    }
  }

  @Override
  public void clear() {
    names.clear();
    values.clear();
    rowMax = -1;
    forget();
  }
}
