package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.DataOutput;

/// A figure over a number of each bucket of a sibling: `avg_bucket` and kin.
record BucketMetric(Label label, BucketPath path, BucketPath.Gaps gaps, Figure figure)
    implements Pipeline.Sibling {

  /// Which figure.
  enum Figure {
    AVERAGE,
    SUM,
    MINIMUM,
    MAXIMUM,
    STATS
  }

  static Pipeline average(Label label, JsonObject body) {
    return parse(label, body, Figure.AVERAGE);
  }

  static Pipeline sum(Label label, JsonObject body) {
    return parse(label, body, Figure.SUM);
  }

  static Pipeline minimum(Label label, JsonObject body) {
    return parse(label, body, Figure.MINIMUM);
  }

  static Pipeline maximum(Label label, JsonObject body) {
    return parse(label, body, Figure.MAXIMUM);
  }

  static Pipeline stats(Label label, JsonObject body) {
    return parse(label, body, Figure.STATS);
  }

  private static Pipeline parse(Label label, JsonObject body, Figure figure) {
    body.take("format");
    return new BucketMetric(label, BucketPath.parse(body), BucketPath.Gaps.parse(body), figure);
  }

  @Override
  public Partial compute(Results siblings) {
    Partial sibling = siblings.find(path.first());
    if (!(sibling instanceof Bucketed bucketed)) {
      throw Refusal.badArgument(
          "The first aggregation in buckets_path must be a multi-bucket aggregation for"
              + " aggregation ["
              + label.name()
              + "] found: ["
              + path.first()
              + "]");
    }
    MomentSums sums = new MomentSums(true, true, false);
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
      case AVERAGE -> SimpleValue.of(moments.average());
      case SUM -> SimpleValue.of(moments.total());
      case MINIMUM -> new Extreme(moments.count() == 0 ? Double.NaN : moments.min(), least);
      case MAXIMUM -> new Extreme(moments.count() == 0 ? Double.NaN : moments.max(), most);
      case STATS -> new MomentMetric.Result(StatsBucket.FIGURE, moments, Shown.PLAIN_DOUBLE);
    };
  }

  /// An extreme with the names of the buckets that reach it.
  record Extreme(double value, List<String> keys) implements Partial {
    Extreme {
      keys = List.copyOf(keys);
    }

    @Override
    public Partial merge(Partial other) {
      throw new IllegalStateException("results of pipelines are final");
    }

    @Override
    public String typeName() {
      return "bucket_metric_value";
    }

    @Override
    public double metric(String property) {
      return value;
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      Numbers.write(out, "value", value, Double.isFinite(value), Shown.PLAIN_DOUBLE);
      out.writeArrayFieldStart("keys");
      for (String key : keys) {
        out.writeString(key);
      }
      out.writeEndArray();
    }

    @Override
    public void write(DataOutput out) {
      throw new IllegalStateException("results of pipelines are final");
    }
  }

  /// [Stats] under the name of the pipeline.
  private enum StatsBucket implements MomentMetric.Figure {
    FIGURE;

    @Override
    public String typeName() {
      return "stats_bucket";
    }

    @Override
    public boolean needsSum() {
      return true;
    }

    @Override
    public boolean needsExtremes() {
      return true;
    }

    @Override
    public boolean needsSquares() {
      return false;
    }

    @Override
    public void render(Moments moments, Shown shown, JsonGenerator out) throws IOException {
      Stats.write(moments, shown, out);
    }

    @Override
    public double metric(Moments moments, String property) {
      return Stats.figure(moments, property);
    }
  }
}
