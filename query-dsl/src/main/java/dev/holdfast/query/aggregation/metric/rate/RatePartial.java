package dev.holdfast.query.aggregation.metric.rate;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.date.BucketSpan;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.metric.SimpleValue;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What a bucket holds, until its span of time is known.
///
/// @param growth of a counter; null where the total counts
record RatePartial(Rate request, Partial total, @Nullable CounterGrowth growth, DisplayFormat shown)
    implements Partial {
  private static final double MILLIS_OF_SECOND = 1000;

  @Override
  public Partial merge(Partial other) {
    RatePartial right = (RatePartial) other;
    CounterGrowth both =
        growth == null || right.growth == null
            ? growth == null ? right.growth : growth
            : growth.merge(right.growth);
    return new RatePartial(request, total.merge(right.total), both, shown.or(right.shown));
  }

  @Override
  public Partial reduce(Reduction reduction) {
    return new SimpleValue(typeName(), value(reduction.span()), shown);
  }

  private double value(@Nullable BucketSpan span) {
    BucketSpan.Unit unit = request.unit();
    if (growth != null) {
      return growth.in(unit == null ? MILLIS_OF_SECOND : unit.millis());
    }
    double all = total.metric("");
    if (span == null) {
      if (request.isInSeries()) {
        return Double.NaN; // a counter without measurements
      }
      throw Refusal.badArgument(Rate.NO_SPAN);
    }
    return unit == null ? all : all / span.in(unit);
  }

  @Override
  public String typeName() {
    return "rate";
  }

  @Override
  public boolean isSingleNumber() {
    return true;
  }

  @Override
  public double metric(String property) {
    return growth == null ? total.metric("") : growth.in(1);
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) {
    throw new IllegalStateException("the span of the bucket is not known");
  }

  @Override
  public void write(WireOutput out) throws IOException {
    shown.write(out);
    out.writeByte((byte) (growth == null ? 0 : 1));
    if (growth != null) {
      growth.write(out);
    }
    total.write(out);
  }

  static RatePartial read(PartialInput in, Rate request) throws IOException {
    DisplayFormat shown = DisplayFormat.read(in);
    CounterGrowth growth = in.data().readByte() == 0 ? null : CounterGrowth.read(in.data());
    return new RatePartial(request, request.total().read(in), growth, shown);
  }
}
