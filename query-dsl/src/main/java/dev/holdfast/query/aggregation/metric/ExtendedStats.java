package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import java.io.IOException;

/// [Stats], and how a numeric field spreads: variances, deviations and bounds `sigma` deviations
/// around the mean.
public record ExtendedStats(double sigma) implements MomentMetric.Figure {
  public static Aggregation parse(Definition definition) {
    double sigma = definition.body().doubleValue("sigma", 2.0);
    ParsedField.check(
        sigma >= 0,
        "extended_stats",
        "sigma",
        "[sigma] must be greater than or equal to 0. Found ["
            + sigma
            + "] in ["
            + definition.label().name()
            + "]");
    return new MomentMetric(
        definition.label(), FieldRequest.parse(definition.body()), new ExtendedStats(sigma));
  }

  @Override
  public String typeName() {
    return "extended_stats";
  }

  @Override
  public MomentNeeds needs() {
    return MomentNeeds.ALL;
  }

  @Override
  public void render(Moments moments, DisplayFormat shown, JsonGenerator out) throws IOException {
    Stats.write(moments, shown, out);
    boolean isKnown = moments.count() > 0;
    NumberRendering.write(out, "sum_of_squares", moments.totalOfSquares(), isKnown, shown);
    NumberRendering.write(out, "variance", variance(moments), isKnown, shown);
    NumberRendering.write(out, "variance_population", variance(moments), isKnown, shown);
    NumberRendering.write(out, "variance_sampling", varianceSampling(moments), isKnown, shown);
    NumberRendering.write(out, "std_deviation", deviation(moments), isKnown, shown);
    NumberRendering.write(out, "std_deviation_population", deviation(moments), isKnown, shown);
    NumberRendering.write(
        out, "std_deviation_sampling", deviationSampling(moments), isKnown, shown);
    bounds(moments, isKnown, out);
    if (isKnown && shown.showsText()) {
      out.writeObjectFieldStart("std_deviation_bounds_as_string");
      for (Bound bound : Bound.values()) {
        out.writeStringField(bound.json, shown.format().toText(bound(moments, bound)));
      }
      out.writeEndObject();
    }
  }

  private void bounds(Moments moments, boolean isKnown, JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("std_deviation_bounds");
    for (Bound bound : Bound.values()) {
      NumberRendering.write(
          out, bound.json, bound(moments, bound), isKnown, DisplayFormat.PLAIN_DOUBLE);
    }
    out.writeEndObject();
  }

  @Override
  public boolean isSingle() {
    return false;
  }

  @Override
  public double metric(Moments moments, String property) {
    for (Bound bound : Bound.values()) {
      if (property.equals("std_" + bound.json)) {
        return bound(moments, bound);
      }
    }
    return switch (property) {
      case "sum_of_squares" -> moments.totalOfSquares();
      case "variance", "variance_population" -> variance(moments);
      case "variance_sampling" -> varianceSampling(moments);
      case "std_deviation", "std_deviation_population" -> deviation(moments);
      case "std_deviation_sampling" -> deviationSampling(moments);
      default -> Stats.figure(moments, property);
    };
  }

  private enum Bound {
    UPPER("upper", 1, false),
    LOWER("lower", -1, false),
    UPPER_POPULATION("upper_population", 1, false),
    LOWER_POPULATION("lower_population", -1, false),
    UPPER_SAMPLING("upper_sampling", 1, true),
    LOWER_SAMPLING("lower_sampling", -1, true);

    private final String json;
    private final int side;
    private final boolean isSampling;

    Bound(String json, int side, boolean isSampling) {
      this.json = json;
      this.side = side;
      this.isSampling = isSampling;
    }
  }

  private double bound(Moments moments, Bound bound) {
    double deviation = bound.isSampling ? deviationSampling(moments) : deviation(moments);
    return moments.average() + bound.side * sigma * deviation;
  }

  private static double variance(Moments moments) {
    double sum = moments.total();
    return Math.max(0, (moments.totalOfSquares() - sum * sum / moments.count()) / moments.count());
  }

  private static double varianceSampling(Moments moments) {
    double sum = moments.total();
    double spread = moments.totalOfSquares() - sum * sum / moments.count();
    return moments.count() < 2 ? Double.NaN : Math.max(0, spread / (moments.count() - 1));
  }

  private static double deviation(Moments moments) {
    return Math.sqrt(variance(moments));
  }

  private static double deviationSampling(Moments moments) {
    return Math.sqrt(varianceSampling(moments));
  }
}
