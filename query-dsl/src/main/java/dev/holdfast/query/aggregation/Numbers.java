package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/// Numbers in answers as Elasticsearch writes them.
final class Numbers {
  private Numbers() {}

  /// `"name": number`, or null when there is none, and `"name_as_string"` when the field's values
  /// are shown as text.
  static void write(JsonGenerator out, String name, double number, boolean isKnown, Shown shown)
      throws IOException {
    if (!isKnown) {
      out.writeNullField(name);
      return;
    }
    out.writeNumberField(name, number);
    if (Double.isFinite(number) && shown.showsText()) {
      out.writeStringField(name + "_as_string", shown.format().toText(number));
    }
  }
}
