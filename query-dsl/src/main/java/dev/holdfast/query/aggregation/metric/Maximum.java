package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.world.JsonObject;
import java.io.IOException;

/// The largest value of a numeric field.
public enum Maximum implements MomentMetric.Figure {
  FIGURE;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    return new MomentMetric(definition.label(), FieldRequest.parse(body), FIGURE);
  }

  @Override
  public String typeName() {
    return "max";
  }

  @Override
  public MomentNeeds needs() {
    return MomentNeeds.EXTREMES;
  }

  @Override
  public void render(Moments moments, DisplayFormat shown, JsonGenerator out) throws IOException {
    NumberRendering.write(out, "value", moments.max(), moments.count() > 0, shown);
  }

  @Override
  public double metric(Moments moments, String property) {
    return moments.max();
  }

  @Override
  public String summary() {
    return "max";
  }
}
