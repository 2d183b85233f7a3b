package dev.holdfast.query.result;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;

/// Hits inside a hit: of its group, its nested objects, its children or its parent.
///
/// @param maxScore NaN for none
public record InnerHits(long total, boolean isTotalExact, float maxScore, List<Hit> hits) {
  void write(JsonGenerator out, boolean totalAsInteger) throws IOException {
    out.writeStartObject();
    out.writeObjectFieldStart("hits");
    if (totalAsInteger) {
      out.writeNumberField("total", total);
    } else {
      out.writeObjectFieldStart("total");
      out.writeNumberField("value", total);
      out.writeStringField("relation", isTotalExact ? "eq" : "gte");
      out.writeEndObject();
    }
    if (Float.isNaN(maxScore)) {
      out.writeNullField("max_score");
    } else {
      out.writeNumberField("max_score", maxScore);
    }
    out.writeArrayFieldStart("hits");
    for (Hit hit : hits) {
      hit.write(out, totalAsInteger);
    }
    out.writeEndArray();
    out.writeEndObject();
    out.writeEndObject();
  }
}
