package dev.holdfast.query.aggregation.pipeline;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.aggregation.metric.ComputedPartial;
import dev.holdfast.query.aggregation.metric.Percentiles;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Percentiles over a number of each bucket of a sibling: always one of the numbers.
public record PercentilesBucket(
    Label label,
    BucketPath path,
    BucketPath.Gaps gaps,
    List<Double> percents,
    boolean isKeyed,
    DisplayFormat shown)
    implements PipelineAggregation.Sibling {
  private static final List<Double> PERCENTS_DEFAULT =
      List.of(1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0);
  private static final double ALL = 100;

  public static PipelineAggregation parse(Label label, JsonObject body) {
    JsonNode given = body.node().path("percents");
    if (given.isNumber() || given.isTextual()) {
      throw new Refusal(
          ErrorType.PARSING,
          "Unexpected token " + JsonObject.token(given) + " [percents] in [" + label.name() + "]");
    }
    List<Double> percents =
        Percentiles.inOrder(body.take("percents"), PERCENTS_DEFAULT, "percents");
    for (double percent : percents) {
      if (!(percent >= 0 && percent <= ALL)) {
        throw Refusal.badArgument(
            "[percents] must only contain non-null doubles from 0.0-100.0 inclusive");
      }
    }
    return new PercentilesBucket(
        label,
        BucketPath.parse(body),
        BucketPath.Gaps.parse(body),
        percents,
        body.unquoted("keyed").bool("keyed", true),
        DisplayFormat.computed(body));
  }

  @Override
  public String kind() {
    return "percentiles_bucket";
  }

  @Override
  public Partial compute(Results siblings) {
    List<Double> numbers = new ArrayList<>();
    for (Bucket bucket : path.bucketed(siblings, label).buckets()) {
      Double number = BucketPath.number(bucket, path.rest(), gaps);
      if (number != null) {
        numbers.add(number);
      }
    }
    numbers.sort(null);
    return new Result(this, numbers);
  }

  record Result(PercentilesBucket request, List<Double> sorted) implements ComputedPartial {
    Result {
      sorted = List.copyOf(sorted);
    }

    private double at(double percent) {
      if (sorted.isEmpty()) {
        return Double.NaN;
      }
      int index = (int) Math.round(percent / ALL * (sorted.size() - 1));
      return sorted.get(index);
    }

    @Override
    public String typeName() {
      return "percentiles_bucket";
    }

    @Override
    public double metric(String property) {
      return at(Percentiles.number(property));
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      Percentiles.write(request.percents, this::at, request.isKeyed, request.shown, out);
    }
  }
}
