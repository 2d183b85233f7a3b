package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.date.Rounding;
import dev.holdfast.world.JsonObject;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How much a number grew from one bucket of a histogram to the next.
///
/// @param unitMillis also show growth per this time; 0 for none
record Derivative(Label label, BucketPath path, BucketPath.Gaps gaps, long unitMillis, Shown shown)
    implements Pipeline.Parent {
  static Pipeline parse(Label label, JsonObject body) {
    Shown shown = Shown.computed(body);
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
    return TimeText.millis(unit, "derivative.unit");
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
  record Growth(double value, double units, Shown shown) implements Partial {
    @Override
    public Partial merge(Partial other) {
      throw new IllegalStateException("results of pipelines are final");
    }

    @Override
    public String typeName() {
      return "derivative";
    }

    @Override
    public double metric(String property) {
      return property.equals("normalized_value") ? value / units : value;
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      Numbers.write(out, "value", value, Double.isFinite(value), shown);
      if (units > 0) {
        Numbers.write(out, "normalized_value", value / units, Double.isFinite(value), shown);
      }
    }

    @Override
    public void write(WireOutput out) {
      throw new IllegalStateException("results of pipelines are final");
    }
  }
}
