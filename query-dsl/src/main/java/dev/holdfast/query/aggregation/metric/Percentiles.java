package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/// Numbers below which given shares of a field's values lie.
public record Percentiles(List<Double> percents, boolean isKeyed) implements QuantileMetric.Figure {
  private static final List<Double> PERCENTS_DEFAULT =
      List.of(1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0);
  private static final double ALL = 100;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    List<Double> percents = numbers(body.take("percents"), PERCENTS_DEFAULT, "percents");
    for (int i = 1; i < percents.size(); i++) {
      if (percents.get(i).equals(percents.get(i - 1))) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "Failed to build [percentiles] after last required field arrived",
            Refusal.badArgument("percent [" + percents.get(i) + "] has been specified twice"));
      }
    }
    for (double percent : percents) {
      if (!(percent >= 0 && percent <= ALL)) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "Failed to build [percentiles] after last required field arrived",
            Refusal.badArgument(
                "percent must be in [0,100], got ["
                    + percent
                    + "]: ["
                    + definition.label().name()
                    + "]"));
      }
    }
    boolean isKeyed = body.bool("keyed", true);
    return body.has("hdr")
        ? new HdrPercentiles(
            definition.label(), field, HdrPercentiles.digits(body), percents, false, isKeyed)
        : new QuantileMetric(
            definition.label(),
            field,
            QuantileMetric.compression(body),
            new Percentiles(percents, isKeyed));
  }

  static List<Double> numbers(
      @org.jspecify.annotations.Nullable JsonNode node, List<Double> whenAbsent, String name) {
    return inOrder(node, whenAbsent, name).stream().sorted().toList();
  }

  /// The numbers as they were given.
  public static List<Double> inOrder(
      @org.jspecify.annotations.Nullable JsonNode node, List<Double> whenAbsent, String name) {
    if (node == null) {
      return whenAbsent;
    }
    if (node.isNumber() || node.isTextual()) {
      return List.of(number(node.asText()));
    }
    if (!node.isArray() || node.isEmpty()) {
      throw Refusal.badArgument("[" + name + "] must not be empty");
    }
    List<Double> numbers = new ArrayList<>();
    for (JsonNode each : node) {
      numbers.add(number(each.asText()));
    }
    return List.copyOf(numbers);
  }

  @Override
  public String typeName() {
    return "tdigest_percentiles";
  }

  @Override
  public void render(Quantiles quantiles, DisplayFormat shown, JsonGenerator out)
      throws IOException {
    write(percents, percent -> at(quantiles, percent), isKeyed, shown, out);
  }

  @Override
  public double metric(Quantiles quantiles, String property) {
    return at(quantiles, number(property));
  }

  private static double at(Quantiles quantiles, double percent) {
    return quantiles.quantile(percent / ALL);
  }

  public static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + text + "\"", e);
    }
  }

  public static void write(
      List<Double> keys,
      DoubleUnaryOperator values,
      boolean isKeyed,
      DisplayFormat shown,
      JsonGenerator out)
      throws IOException {
    if (isKeyed) {
      out.writeObjectFieldStart("values");
      for (double key : keys) {
        double value = values.applyAsDouble(key);
        NumberRendering.write(out, Double.toString(key), value, !Double.isNaN(value), shown);
      }
      out.writeEndObject();
      return;
    }
    out.writeArrayFieldStart("values");
    for (double key : keys) {
      double value = values.applyAsDouble(key);
      out.writeStartObject();
      out.writeNumberField("key", key);
      NumberRendering.write(out, "value", value, !Double.isNaN(value), shown);
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
