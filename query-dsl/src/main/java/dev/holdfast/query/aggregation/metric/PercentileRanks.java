package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.world.JsonObject;
import java.io.IOException;
import java.util.List;

/// Which shares of a field's values lie below given numbers.
public record PercentileRanks(List<Double> values, boolean isKeyed)
    implements QuantileMetric.Figure {
  private static final double ALL = 100;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    JsonNode values = body.required("values");
    List<Double> numbers =
        ParsedField.of(
            "percentile_ranks", "values", () -> Percentiles.numbers(values, List.of(), "values"));
    boolean isKeyed = body.bool("keyed", true);
    return body.has("hdr")
        ? new HdrPercentiles(
            definition.label(), field, HdrPercentiles.digits(body), numbers, true, isKeyed)
        : new QuantileMetric(
            definition.label(),
            field,
            QuantileMetric.compression(body),
            new PercentileRanks(numbers, isKeyed));
  }

  @Override
  public String typeName() {
    return "tdigest_percentile_ranks";
  }

  @Override
  public void render(Quantiles quantiles, DisplayFormat shown, JsonGenerator out)
      throws IOException {
    Percentiles.write(
        values, value -> quantiles.share(value) * ALL, isKeyed, DisplayFormat.PLAIN_DOUBLE, out);
  }

  @Override
  public double metric(Quantiles quantiles, String property) {
    return quantiles.share(Percentiles.number(property)) * ALL;
  }
}
