package dev.holdfast.query.aggregation.pipeline;

import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.metric.SimpleValue;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;

/// A number of each bucket in proportion to those of the others.
public record Normalize(Label label, BucketPath path, Method method, DisplayFormat shown)
    implements PipelineAggregation.Parent {
  /// How numbers are made comparable.
  enum Method {
    RESCALE_0_1("rescale_0_1"),
    RESCALE_0_100("rescale_0_100"),
    PERCENT_OF_SUM("percent_of_sum"),
    MEAN("mean"),
    Z_SCORE("z-score"),
    SOFTMAX("softmax");

    private final String label;

    Method(String label) {
      this.label = label;
    }

    static Method of(String label) {
      for (Method method : values()) {
        if (method.label.equals(label)) {
          return method;
        }
      }
      throw Refusal.badArgument("invalid method [" + label + "]");
    }
  }

  public static PipelineAggregation parse(Label label, JsonObject body) {
    BucketPath path = BucketPath.parse(body);
    String method = body.string("method");
    if (method == null) {
      throw Refusal.badArgument("Required [method]");
    }
    return new Normalize(label, path, Method.of(method), DisplayFormat.computed(body));
  }

  @Override
  public String kind() {
    return "normalize";
  }

  /// A bucket without a number gets none.
  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    double[] numbers = new double[buckets.size()];
    for (int i = 0; i < numbers.length; i++) {
      Double number = BucketPath.number(buckets.get(i), path.path(), BucketPath.Gaps.SKIP);
      numbers[i] = number == null ? Double.NaN : number;
    }
    Spread all = Spread.of(numbers);
    List<Bucket> computed = new ArrayList<>(buckets.size());
    for (int i = 0; i < numbers.length; i++) {
      Bucket bucket = buckets.get(i);
      SimpleValue value = SimpleValue.of(normal(numbers[i], all), shown);
      computed.add(bucket.withChildren(bucket.children().with(label, value)));
    }
    return computed;
  }

  private double normal(double number, Spread all) {
    return switch (method) {
      case RESCALE_0_1 -> (number - all.least) / (all.greatest - all.least);
      case RESCALE_0_100 -> 100 * (number - all.least) / (all.greatest - all.least);
      case PERCENT_OF_SUM -> number / all.sum;
      case MEAN -> (number - all.mean) / (all.greatest - all.least);
      case Z_SCORE -> (number - all.mean) / all.deviation;
      case SOFTMAX -> Math.exp(number) / all.sumOfPowers;
    };
  }

  /// What is known of all numbers together.
  ///
  /// @param deviation of a sample
  /// @param sumOfPowers of e
  private record Spread(
      double least,
      double greatest,
      double sum,
      double mean,
      double deviation,
      double sumOfPowers) {
    /// @param numbers NaN for none
    static Spread of(double[] numbers) {
      DoubleSummaryStatistics known =
          Arrays.stream(numbers).filter(number -> !Double.isNaN(number)).summaryStatistics();
      double mean = known.getAverage();
      double squares = 0;
      double powers = 0;
      for (double number : numbers) {
        if (!Double.isNaN(number)) {
          squares += (number - mean) * (number - mean);
          powers += Math.exp(number);
        }
      }
      return new Spread(
          known.getMin(),
          known.getMax(),
          known.getSum(),
          mean,
          Math.sqrt(squares / (known.getCount() - 1)),
          powers);
    }
  }
}
