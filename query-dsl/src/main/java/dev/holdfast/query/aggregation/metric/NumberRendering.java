package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import java.io.IOException;

/// Numbers in answers as Elasticsearch writes them.
public final class NumberRendering {
  /// What is beyond is no moment in time: a variance, a sum of squares.
  private static final double MILLIS_MAX = Long.MAX_VALUE;

  private NumberRendering() {}

  /// `"name": number`, or null when there is none, and `"name_as_string"` when the field's values
  /// are shown as text.
  public static void write(
      JsonGenerator out, String name, double number, boolean isKnown, DisplayFormat shown)
      throws IOException {
    if (!isKnown) {
      out.writeNullField(name);
      return;
    }
    out.writeNumberField(name, number);
    boolean isDate =
        shown.kind() == ValuesKind.DATE_MILLIS || shown.kind() == ValuesKind.DATE_NANOS;
    if (isDate && shown.showsText() && Math.abs(number) >= MILLIS_MAX) {
      out.writeNullField(name + "_as_string");
    } else if (Double.isFinite(number) && shown.showsText()) {
      out.writeStringField(name + "_as_string", shown.format().toText(number));
    }
  }
}
