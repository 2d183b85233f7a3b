package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.date.DateFormat;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// Dates by a pattern in a zone.
record DateValueFormat(DateFormat pattern, DateUnit unit, @Nullable ZoneId zone)
    implements NumericFormat {
  private static final String NANOS_PATTERN = "strict_date_optional_time_nanos";

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
    String text = pattern.format(Math.floorDiv(docValue, unit.perMilli()), zone);
    long below = Math.floorMod(docValue, unit.perMilli());
    if (below == 0 || !pattern.pattern().startsWith(NANOS_PATTERN)) {
      return text;
    }
    // `…:05.123Z`: the six digits that milliseconds leave out follow the third.
    int point = text.lastIndexOf('.');
    String more = Long.toString(unit.perMilli() + below).substring(1);
    return point < 0 ? text : text.substring(0, point + 4) + more + text.substring(point + 4);
  }

  @Override
  public String toText(double number) {
    return toText((long) number);
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
