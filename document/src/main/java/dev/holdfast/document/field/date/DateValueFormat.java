package dev.holdfast.document.field.date;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.document.field.NumericFormat;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// Dates by a pattern in a zone.
public record DateValueFormat(DateFormat pattern, DateUnit unit, @Nullable ZoneId zone)
    implements NumericFormat {
  @Override
  public double toDouble(long docValue) {
    return docValue;
  }

  @Override
  public Object toKey(long docValue) {
    return docValue;
  }

  @Override
  public String toText(long docValue) {
    return unit == DateUnit.NANOS
        ? pattern.formatNanos(docValue, zone)
        : pattern.format(docValue, zone);
  }

  /// What is computed of dates is milliseconds, whatever their unit.
  @Override
  public String toText(double number) {
    return pattern.format((long) number, zone);
  }

  @Override
  public long toDocValue(JsonNode value, boolean roundUp, long nowMillis) {
    // Sort values come back as the number they were shown as.
    return value.isIntegralNumber() && unit == DateUnit.NANOS
        ? value.longValue()
        : unit.parse(pattern, value.asText(), zone, roundUp, nowMillis);
  }

  @Override
  public boolean showsText() {
    return true;
  }
}
