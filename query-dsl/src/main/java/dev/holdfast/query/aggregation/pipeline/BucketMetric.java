package dev.holdfast.query.aggregation.pipeline;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.aggregation.metric.ComputedPartial;
import dev.holdfast.query.aggregation.metric.ExtendedStats;
import dev.holdfast.query.aggregation.metric.MomentMetric;
import dev.holdfast.query.aggregation.metric.MomentNeeds;
import dev.holdfast.query.aggregation.metric.MomentSums;
import dev.holdfast.query.aggregation.metric.Moments;
import dev.holdfast.query.aggregation.metric.NumberRendering;
import dev.holdfast.query.aggregation.metric.SimpleValue;
import dev.holdfast.query.aggregation.metric.Stats;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A figure over a number of each bucket of a sibling: `avg_bucket` and kin.
///
/// @param sigma of `extended_stats_bucket`: how many deviations its bounds are from the mean
public record BucketMetric(
    Label label,
    BucketPath path,
    BucketPath.Gaps gaps,
    Figure figure,
    double sigma,
    DisplayFormat shown)
    implements PipelineAggregation.Sibling {
  private static final double SIGMA_DEFAULT = 2;

  /// Which figure.
  enum Figure {
    AVERAGE("avg_bucket"),
    SUM("sum_bucket"),
    MINIMUM("min_bucket"),
    MAXIMUM("max_bucket"),
    STATS("stats_bucket"),
    EXTENDED_STATS("extended_stats_bucket");

    private final String kind;

    Figure(String kind) {
      this.kind = kind;
    }
  }

  public static PipelineAggregation average(Label label, JsonObject body) {
    return parse(label, body, Figure.AVERAGE);
  }

  public static PipelineAggregation sum(Label label, JsonObject body) {
    return parse(label, body, Figure.SUM);
  }

  public static PipelineAggregation minimum(Label label, JsonObject body) {
    return parse(label, body, Figure.MINIMUM);
  }

  public static PipelineAggregation maximum(Label label, JsonObject body) {
    return parse(label, body, Figure.MAXIMUM);
  }

  public static PipelineAggregation stats(Label label, JsonObject body) {
    return parse(label, body, Figure.STATS);
  }

  public static PipelineAggregation extendedStats(Label label, JsonObject body) {
    double sigma = body.unquoted("sigma").doubleValue("sigma", SIGMA_DEFAULT);
    if (sigma < 0) {
      throw Refusal.badArgument("[sigma] must be a non-negative double. Found [" + sigma + "]");
    }
    return new BucketMetric(
        label,
        BucketPath.parse(body),
        BucketPath.Gaps.parse(body),
        Figure.EXTENDED_STATS,
        sigma,
        DisplayFormat.computed(body));
  }

  private static PipelineAggregation parse(Label label, JsonObject body, Figure figure) {
    return new BucketMetric(
        label,
        BucketPath.parse(body),
        BucketPath.Gaps.parse(body),
        figure,
        SIGMA_DEFAULT,
        DisplayFormat.computed(body));
  }

  @Override
  public String kind() {
    return figure.kind;
  }

  @Override
  public Partial compute(Results siblings) {
    Bucketed bucketed = path.bucketed(siblings, label);
    MomentSums sums =
        new MomentSums(
            figure == Figure.EXTENDED_STATS ? MomentNeeds.ALL : MomentNeeds.SUM_AND_EXTREMES);
    List<String> least = new ArrayList<>();
    List<String> most = new ArrayList<>();
    for (Bucket bucket : bucketed.buckets()) {
      Double number = BucketPath.number(bucket, path.rest(), gaps);
      if (number == null) {
        continue;
      }
      Moments before = sums.result(0);
      note(least, bucketed.name(bucket), Double.compare(number, before.min()));
      note(most, bucketed.name(bucket), Double.compare(before.max(), number));
      sums.add(number, 0);
    }
    return result(sums.result(0), least, most);
  }

  private static void note(List<String> keys, String key, int order) {
    if (order < 0) {
      keys.clear();
    }
    if (order <= 0) {
      keys.add(key);
    }
  }

  private Partial result(Moments moments, List<String> least, List<String> most) {
    return switch (figure) {
      case AVERAGE -> SimpleValue.of(moments.average(), shown);
      case SUM -> SimpleValue.of(moments.total(), shown);
      case MINIMUM -> new Extreme(moments.count() == 0 ? Double.NaN : moments.min(), least, shown);
      case MAXIMUM -> new Extreme(moments.count() == 0 ? Double.NaN : moments.max(), most, shown);
      case STATS ->
          new MomentMetric.Result(new Named("stats_bucket", Stats.FIGURE), moments, shown);
      case EXTENDED_STATS ->
          new MomentMetric.Result(
              new Named("extended_stats_bucket", new ExtendedStats(sigma)), moments, shown);
    };
  }

  /// An extreme with the names of the buckets that reach it.
  record Extreme(double value, List<String> keys, DisplayFormat shown) implements ComputedPartial {
    Extreme {
      keys = List.copyOf(keys);
    }

    @Override
    public String typeName() {
      return "bucket_metric_value";
    }

    @Override
    public boolean isSingleNumber() {
      return true;
    }

    @Override
    public double metric(String property) {
      return value;
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      NumberRendering.write(out, "value", value, Double.isFinite(value), shown);
      out.writeArrayFieldStart("keys");
      for (String key : keys) {
        out.writeString(key);
      }
      out.writeEndArray();
    }
  }

  /// A metric's figure under the name of the pipeline.
  private record Named(String typeName, MomentMetric.Figure figure) implements MomentMetric.Figure {
    @Override
    public MomentNeeds needs() {
      return figure.needs();
    }

    @Override
    public void render(Moments moments, DisplayFormat shown, JsonGenerator out) throws IOException {
      figure.render(moments, shown, out);
    }

    @Override
    public boolean isSingle() {
      return figure.isSingle();
    }

    @Override
    public double metric(Moments moments, String property) {
      return figure.metric(moments, property);
    }
  }
}
