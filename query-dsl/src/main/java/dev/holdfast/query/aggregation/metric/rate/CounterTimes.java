package dev.holdfast.query.aggregation.metric.rate;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import org.jspecify.annotations.Nullable;

/// When the measurements of a counter were made.
final class CounterTimes {
  private static final String TIME = "@timestamp";
  private static final long NANOS_PER_MILLI = 1_000_000;

  private CounterTimes() {}

  static @Nullable BoundField field(QueryContext context) {
    return new FieldRequest("rate", TIME, null, null, null).bind(context, ValuesKind.DATE_MILLIS);
  }

  static double millis(BoundField time, long docValue) {
    return time.kind() == ValuesKind.DATE_NANOS
        ? (double) docValue / NANOS_PER_MILLI
        : (double) docValue;
  }
}
