package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.world.JsonObject;
import java.io.IOException;

/// The smallest value of a numeric field.
enum Minimum implements MomentMetric.Figure {
  FIGURE;

  static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    return new MomentMetric(definition.label(), FieldRequest.parse(body), FIGURE);
  }

  @Override
  public String typeName() {
    return "min";
  }

  @Override
  public MomentNeeds needs() {
    return MomentNeeds.EXTREMES;
  }

  @Override
  public void render(Moments moments, Shown shown, JsonGenerator out) throws IOException {
    Numbers.write(out, "value", moments.min(), moments.count() > 0, shown);
  }

  @Override
  public double metric(Moments moments, String property) {
    return moments.min();
  }
}
