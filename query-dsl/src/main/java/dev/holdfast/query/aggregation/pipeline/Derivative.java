package dev.holdfast.query.aggregation.pipeline;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.document.date.Rounding;
import dev.holdfast.query.aggregation.bucket.histogram.DurationText;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.metric.ComputedPartial;
import dev.holdfast.query.aggregation.metric.NumberRendering;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How much a number grew from one bucket of a histogram to the next.
///
/// @param unitMillis also show growth per this time; 0 for none
public record Derivative(
    Label label, BucketPath path, BucketPath.Gaps gaps, long unitMillis, DisplayFormat shown)
    implements PipelineAggregation.Parent {
  public static PipelineAggregation parse(Label label, JsonObject body) {
    DisplayFormat shown = DisplayFormat.computed(body);
    return new Derivative(
        label,
        BucketPath.parse(body),
        BucketPath.Gaps.parse(body),
        unit(body.string("unit")),
        shown);
  }

  private static long unit(@Nullable String unit) {
    if (unit == null) {
      return 0;
    }
    if (unit.matches("[a-z]+|1[smhdwMqy]")) {
      return Rounding.calendar(unit, ZoneOffset.UTC, 0).next(0);
    }
    return DurationText.millis(unit, "derivative.unit");
  }

  @Override
  public String kind() {
    return "derivative";
  }

  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    List<Bucket> computed = new ArrayList<>(buckets.size());
    Double last = null;
    double lastKey = Double.NaN;
    for (Bucket bucket : buckets) {
      // Growth from or to a gap is there, and no number.
      Double known = BucketPath.number(bucket, path.path(), gaps);
      double number = known == null ? Double.NaN : known;
      if (last == null) {
        computed.add(bucket);
      } else {
        double growth = number - last;
        double units = unitMillis == 0 ? 0 : (bucket.number() - lastKey) / unitMillis;
        computed.add(
            bucket.withChildren(bucket.children().with(label, new Growth(growth, units, shown))));
      }
      last = number;
      lastKey = bucket.number();
    }
    return computed;
  }

  /// @param units how many units of time the growth took; 0 when none was asked for
  record Growth(double value, double units, DisplayFormat shown) implements ComputedPartial {
    @Override
    public String typeName() {
      return "derivative";
    }

    @Override
    public double metric(String property) {
      return switch (property) {
        case "", "value" -> value;
        case "normalized_value" -> value / units;
        default ->
            throw Refusal.badArgument("path not supported for [derivative]: [" + property + "]");
      };
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      NumberRendering.write(out, "value", value, Double.isFinite(value), shown);
      if (units > 0) {
        NumberRendering.write(
            out, "normalized_value", value / units, Double.isFinite(value), shown);
      }
    }
  }
}
