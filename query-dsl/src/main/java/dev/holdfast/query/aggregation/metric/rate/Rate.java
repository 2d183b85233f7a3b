package dev.holdfast.query.aggregation.metric.rate;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.date.BucketSpan;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.metric.MomentMetric;
import dev.holdfast.query.aggregation.metric.Sum;
import dev.holdfast.query.aggregation.metric.ValueCount;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Locale;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/// Documents, values or the sum of a field in each bucket of a date histogram, by unit of time; and
/// in buckets of time series, what a counter gains by unit of time.
///
/// @param field null for documents
/// @param unit null for the interval of the histogram
/// @param total what is added up
/// @param isInSeries whether a `time_series` stands around it
public record Rate(
    Label label,
    @Nullable FieldRequest field,
    BucketSpan.@Nullable Unit unit,
    Aggregation total,
    boolean isInSeries)
    implements Aggregation {
  static final String NO_SPAN =
      "The rate aggregation can only be used inside a date histogram aggregation or composite"
          + " aggregation with exactly one date histogram value source";

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    boolean isPlain = !body.has("field") && !body.has("script");
    FieldRequest field = isPlain ? null : FieldRequest.parse(body);
    String given = body.string("unit");
    BucketSpan.Unit unit = given == null ? null : BucketSpan.Unit.of(given);
    String mode = body.string("mode");
    if (mode != null && field == null) {
      throw Refusal.badArgument("The mode parameter is only supported with field or script");
    }
    boolean isInSeries = definition.above().contains("time_series");
    if (!isInSeries
        && !definition.above().contains("date_histogram")
        && !definition.above().contains("composite")) {
      throw Refusal.badArgument(NO_SPAN);
    }
    return new Rate(
        definition.label(), field, unit, total(definition.label(), field, mode), isInSeries);
  }

  private static Aggregation total(
      Label label, @Nullable FieldRequest field, @Nullable String mode) {
    if (field == null) {
      return new DocumentTotal(label);
    }
    return switch (mode == null ? "sum" : mode.toLowerCase(Locale.ROOT)) {
      case "sum" -> new MomentMetric(label, field, Sum.FIGURE);
      case "value_count" -> new ValueCount(label, field);
      default -> throw Refusal.badArgument("Unsupported rate mode " + mode);
    };
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    FieldType type = field == null ? null : context.type(field.field());
    boolean isCounter = type != null && "counter".equals(type.metric());
    if (field != null && isCounter && isInSeries) {
      BoundField counter = field.bindNumeric(context);
      BoundField time = CounterTimes.field(context);
      if (counter != null && time != null) {
        return new CounterCollecting(this, counter, time, context.memory());
      }
    }
    DisplayFormat shown =
        type == null || field == null
            ? DisplayFormat.PLAIN_DOUBLE
            : DisplayFormat.of(type, field.format(), field.zone());
    return new Totals(total.bind(context), shown);
  }

  /// What is added up, under this aggregation's name.
  private final class Totals implements Collecting {
    private final Collecting inner;
    private final DisplayFormat shown;

    Totals(Collecting inner, DisplayFormat shown) {
      this.inner = inner;
      this.shown = shown;
    }

    @Override
    public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
      return inner.leaf(segment);
    }

    @Override
    public Partial result(long bucket) throws IOException {
      return new RatePartial(Rate.this, inner.result(bucket), null, shown);
    }
  }

  @Override
  public Partial empty() {
    return new RatePartial(this, total.empty(), null, DisplayFormat.PLAIN_DOUBLE);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return RatePartial.read(in, this);
  }
}
