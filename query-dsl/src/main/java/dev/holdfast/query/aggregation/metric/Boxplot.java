package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;

/// Least, quartiles and greatest of a numeric field, and how far its values reach without the
/// outliers.
public enum Boxplot implements QuantileMetric.Figure {
  FIGURE;

  /// Values farther from the box than so many of its heights are outliers.
  private static final double WHISKER = 1.5;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    double compression = QuantileMetric.finiteCompression(body, 100);
    if (compression < 0) {
      throw Refusal.badArgument(
          "[compression] must be greater than or equal to 0. Found [" + compression + "]");
    }
    QuantileMetric.checkHint(body);
    return new QuantileMetric(definition.label(), field, compression, FIGURE);
  }

  @Override
  public String typeName() {
    return "boxplot";
  }

  @Override
  public void render(Quantiles quantiles, DisplayFormat shown, JsonGenerator out)
      throws IOException {
    for (String name : new String[] {"min", "max", "q1", "q2", "q3", "lower", "upper"}) {
      out.writeNumberField(name, metric(quantiles, name));
    }
    if (shown.showsText()) {
      for (String name : new String[] {"min", "max", "q1", "q2", "q3", "lower", "upper"}) {
        out.writeStringField(name + "_as_string", shown.format().toText(metric(quantiles, name)));
      }
    }
  }

  @Override
  public double metric(Quantiles quantiles, String property) {
    double q1 = quantiles.quantile(0.25);
    double q3 = quantiles.quantile(0.75);
    double reach = WHISKER * (q3 - q1);
    return switch (property) {
      case "min" -> quantiles.isEmpty() ? Double.POSITIVE_INFINITY : quantiles.quantile(0);
      case "max" -> quantiles.isEmpty() ? Double.NEGATIVE_INFINITY : quantiles.quantile(1);
      case "q1" -> q1;
      case "q2" -> quantiles.quantile(0.5);
      case "q3" -> q3;
      case "lower" -> quantiles.firstAtLeast(q1 - reach);
      case "upper" -> quantiles.lastAtMost(q3 + reach);
      default -> Double.NaN;
    };
  }
}
