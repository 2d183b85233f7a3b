package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.world.Refusal;
import java.io.IOException;

/// The median of the distances of a field's values from their median.
public enum MedianDeviation implements QuantileMetric.Figure {
  FIGURE;

  private static final double COMPRESSION_DEFAULT = 1_000;

  public static Aggregation parse(Definition definition) {
    FieldRequest field = FieldRequest.parse(definition.body());
    QuantileMetric.checkHint(definition.body());
    double compression = QuantileMetric.finiteCompression(definition.body(), COMPRESSION_DEFAULT);
    if (compression <= 0) {
      throw Refusal.badArgument(
          "[compression] must be greater than 0. Found [" + compression + "]");
    }
    return new QuantileMetric(definition.label(), field, compression, FIGURE);
  }

  @Override
  public String typeName() {
    return "median_absolute_deviation";
  }

  @Override
  public void render(Quantiles quantiles, DisplayFormat shown, JsonGenerator out)
      throws IOException {
    NumberRendering.write(out, "value", quantiles.medianDeviation(), !quantiles.isEmpty(), shown);
  }

  @Override
  public boolean isSingle() {
    return true;
  }

  @Override
  public double metric(Quantiles quantiles, String property) {
    return quantiles.medianDeviation();
  }
}
