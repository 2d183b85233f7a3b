package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.world.JsonObject;
import java.io.IOException;

/// The sum of a numeric field; 0 without values.
enum Sum implements MomentMetric.Figure {
  FIGURE;

  static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    return new MomentMetric(definition.label(), FieldRequest.parse(body), FIGURE);
  }

  @Override
  public String typeName() {
    return "sum";
  }

  @Override
  public MomentNeeds needs() {
    return MomentNeeds.SUM;
  }

  @Override
  public void render(Moments moments, Shown shown, JsonGenerator out) throws IOException {
    Numbers.write(out, "value", moments.total(), true, shown);
  }

  @Override
  public double metric(Moments moments, String property) {
    return moments.total();
  }
}
