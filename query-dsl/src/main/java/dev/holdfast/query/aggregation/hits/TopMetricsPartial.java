package dev.holdfast.query.aggregation.hits;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.world.Json;
import java.io.IOException;

/// The best documents of a bucket so far, of which only sort values and metrics are shown.
record TopMetricsPartial(TopMetrics request, TopHitsPartial best) implements Partial {
  @Override
  public Partial merge(Partial other) {
    TopHitsPartial both = (TopHitsPartial) best.merge(((TopMetricsPartial) other).best);
    return new TopMetricsPartial(request, both);
  }

  @Override
  public String typeName() {
    return "top_metrics";
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    out.writeArrayFieldStart("top");
    for (TopHitsPartial.Shown hit : best.hits()) {
      JsonNode json = Json.parse(hit.json());
      out.writeStartObject();
      out.writeObjectField("sort", json.path("sort"));
      out.writeObjectFieldStart("metrics");
      for (String field : request.metrics()) {
        JsonNode value = json.path("fields").path(field).path(0);
        if (value.isMissingNode()) {
          out.writeNullField(field);
        } else {
          out.writeObjectField(field, value);
        }
      }
      out.writeEndObject();
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  @Override
  public double metric(String property) {
    if (best.hits().isEmpty()) {
      return Double.NaN;
    }
    String field = property.isEmpty() ? request.metrics().getFirst() : property;
    return Json.parse(best.hits().getFirst().json())
        .path("fields")
        .path(field)
        .path(0)
        .asDouble(Double.NaN);
  }

  @Override
  public void write(WireOutput out) throws IOException {
    best.write(out);
  }
}
