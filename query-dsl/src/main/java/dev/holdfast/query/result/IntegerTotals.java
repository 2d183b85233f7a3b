package dev.holdfast.query.result;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import java.io.IOException;

/// What an answer is written to whose totals are plain numbers (`rest_total_hits_as_int`), also
/// those of hits in aggregations.
public final class IntegerTotals extends JsonGeneratorDelegate {
  public IntegerTotals(JsonGenerator out) {
    super(out, false);
  }

  /// Writes a total as the answer wants it.
  public static void write(JsonGenerator out, long total, boolean isExact) throws IOException {
    if (out instanceof IntegerTotals) {
      out.writeNumberField("total", total);
      return;
    }
    out.writeObjectFieldStart("total");
    out.writeNumberField("value", total);
    out.writeStringField("relation", isExact ? "eq" : "gte");
    out.writeEndObject();
  }
}
