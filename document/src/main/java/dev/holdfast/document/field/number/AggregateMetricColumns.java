package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.column.LongRows;
import dev.holdfast.document.column.LongsColumn;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.document.column.LongColumn.NumericKind;
import org.apache.lucene.util.NumericUtils;

/// The metrics of an `aggregate_metric_double`, a column each.
final class AggregateMetricColumns implements FieldColumns {
  private static final String COUNT = "value_count";

  private final String field;
  private final AggregateMetricType type;
  private final boolean ignoresMalformed;
  private final SortedMap<String, LongRows> metrics = new TreeMap<>();

  AggregateMetricColumns(String field, AggregateMetricType type, boolean ignoresMalformed) {
    this.field = field;
    this.type = type;
    this.ignoresMalformed = ignoresMalformed;
    type.summaries().forEach(metric -> metrics.put(metric, new LongRows()));
  }

  @Override
  public boolean add(int row, JsonValue value) {
    SortedMap<String, Double> read;
    try {
      read = read(value);
      requireFirst(row);
    } catch (Refusal malformed) {
      if (ignoresMalformed) {
        return false;
      }
      throw malformed;
    }
    read.forEach((metric, number) ->
        Objects.requireNonNull(metrics.get(metric))
            .add(row, NumericUtils.doubleToSortableLong(number)));
    return true;
  }

  private void requireFirst(int row) {
    LongRows any = Objects.requireNonNull(metrics.get(metrics.firstKey()));
    for (int i = any.count() - 1; i >= 0 && any.row(i) >= row; i--) {
      if (any.row(i) == row) {
        throw Refusal.badArgument(
            "Field ["
                + field
                + "] of type ["
                + type.typeName()
                + "] does not support indexing multiple values for the same field in the same"
                + " document");
      }
    }
  }

  private SortedMap<String, Double> read(JsonValue value) {
    if (value.kind() != JsonValue.Kind.OBJECT) {
      throw Refusal.badArgument(
          "Failed to parse object: expecting an object of metrics but found ["
              + value.kind()
              + "]");
    }
    SortedMap<String, Double> read = new TreeMap<>();
    for (Map.Entry<String, JsonNode> member : value.tree().properties()) {
      String metric = member.getKey();
      if (!metrics.containsKey(metric)) {
        throw Refusal.badArgument(
            "Aggregate metric ["
                + metric
                + "] does not exist in the mapping of field ["
                + field
                + "]");
      }
      read.put(metric, number(metric, member.getValue()));
    }
    if (read.size() < metrics.size()) {
      throw Refusal.badArgument(
          "Aggregate metric field [" + field + "] must contain all metrics " + type.summaries());
    }
    return read;
  }

  private double number(String metric, JsonNode value) {
    double number = Double.NaN;
    if (value.isNumber() || value.isTextual()) {
      try {
        number = Double.parseDouble(value.asText());
      } catch (NumberFormatException _) {
        // no number
      }
    }
    if (!Double.isFinite(number)) {
      throw Refusal.badArgument(
          "Aggregate metric [" + metric + "] of field [" + field + "] must be a finite number");
    }
    if (metric.equals(COUNT) && (number < 0 || number != Math.rint(number))) {
      throw Refusal.badArgument(
          "Aggregate metric ["
              + COUNT
              + "] of field ["
              + field
              + (number < 0 ? "] cannot be a negative number" : "] must be an integer number"));
    }
    return number;
  }

  @Override
  public void truncate(int row) {
    metrics.values().forEach(rows -> rows.truncate(row));
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    metrics.forEach((metric, values) -> {
      String name = Objects.requireNonNull(type.summaryField(field, metric));
      if (values.count() > 0) {
        columns.accept(
            new LongsColumn(
                name,
                ColumnTypes.numbers(true, name.equals(field), Long.BYTES, false),
                NumericKind.LONG,
                values,
                rows));
      }
    });
  }

  @Override
  public void clear() {
    metrics.values().forEach(LongRows::clear);
  }
}
