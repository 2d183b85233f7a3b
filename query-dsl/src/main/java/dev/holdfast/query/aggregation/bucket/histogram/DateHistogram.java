package dev.holdfast.query.aggregation.bucket.histogram;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.date.BucketSpan;
import dev.holdfast.document.date.Rounding;
import dev.holdfast.document.date.Saturated;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PlainFormat;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// Buckets of a date field, or of numbers that are milliseconds, by calendar units or lengths of
/// time. Keys are milliseconds.
///
/// @param extended ends that the answer must reach even without documents
/// @param hard ends that the answer must not pass
public record DateHistogram(
    Label label,
    FieldRequest field,
    Rounding rounding,
    BucketOrder order,
    long minDocCount,
    boolean isKeyed,
    @Nullable Ends extended,
    @Nullable Ends hard,
    AggregationTree children)
    implements Aggregation, HistogramRequest {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /// Dates as the request wrote them.
  record Ends(@Nullable JsonNode min, @Nullable JsonNode max) {
    static @Nullable Ends parse(@Nullable JsonObject ends) {
      if (ends == null) {
        return null;
      }
      Ends parsed = new Ends(ends.orNull("min"), ends.orNull("max"));
      ends.done();
      requireWhole(parsed.min);
      requireWhole(parsed.max);
      return parsed;
    }

    String text() {
      return (min == null ? "" : min.asText()) + "--" + (max == null ? "" : max.asText());
    }
  }

  /// Instants are milliseconds without a fraction.
  private static void requireWhole(@Nullable JsonNode end) {
    if (end != null && end.isNumber() && end.doubleValue() != Math.rint(end.doubleValue())) {
      throw Refusal.badArgument(end.asText() + " cannot be converted to Long without data loss");
    }
  }

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    long minDocCount = body.longValue("min_doc_count", 0);
    ParsedField.check(
        minDocCount >= 0,
        body.context(),
        "min_doc_count",
        "[minDocCount] must be greater than or equal to 0. Found ["
            + minDocCount
            + "] in ["
            + definition.label().name()
            + "]");
    return new DateHistogram(
        definition.label(),
        field,
        rounding(body, field.zone()),
        BucketOrder.parse(body.take("order"), BucketOrder.KEY_ASCENDING),
        minDocCount,
        body.bool("keyed", false),
        Ends.parse(body.object("extended_bounds")),
        Ends.parse(body.object("hard_bounds")),
        definition.children());
  }

  public static Rounding rounding(JsonObject body, @Nullable ZoneId zone) {
    String calendar = body.string("calendar_interval");
    String fixed = body.string("fixed_interval");
    ZoneId in = zone == null ? ZoneOffset.UTC : zone;
    long offset = DurationText.offsetMillis(body.take("offset"), body.context() + ".offset");
    String kind = body.context();
    ParsedField.check(
        calendar == null || fixed == null,
        kind,
        "fixed_interval",
        "Cannot use [fixed_interval] with [calendar_interval] configuration option.");
    if (calendar != null) {
      return ParsedField.of(
          kind, "calendar_interval", () -> Rounding.calendar(calendar, in, offset));
    }
    if (fixed != null) {
      return ParsedField.of(
          kind,
          "fixed_interval",
          () -> Rounding.fixed(DurationText.millis(fixed, kind + ".fixedInterval"), in, offset));
    }
    body.done();
    throw Refusal.badArgument("Invalid interval specified, must be non-null and non-empty");
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bindDate(context);
    boolean isRange = bound.typeName().equals("date_range");
    switch (bound.kind()) {
      case LONG, DATE_MILLIS, DATE_NANOS, BOOLEAN, DOUBLE, FLOAT, HALF_FLOAT, SCALED_FLOAT -> {}
      default -> {
        if (!isRange) {
          throw field.unsupported(bound);
        }
      }
    }
    requireOrder("extended_bounds", extended, bound, context);
    requireOrder("hard_bounds", hard, bound, context);
    requireInside(bound, context);
    Reach reach =
        extended == null
            ? Reach.NONE
            : new Reach(
                moved(rounded(bound, extended.min(), context)),
                moved(rounded(bound, extended.max(), context)));
    HistogramCollecting.Finish finish =
        buckets -> new HistogramPartial(this, buckets, reach, bound.shown());
    if (isRange) {
      return RangeKeys.collecting(
          bound, context, children, filler(bound, context), key -> (Long) key, finish);
    }
    boolean isFraction = bound.kind().isFloating();
    return new HistogramCollecting(
        bound,
        isFraction
            ? new Fractions(rounding, bound)
            : new Dates(rounding, bound.kind() == ValuesKind.DATE_NANOS ? NANOS_PER_MILLI : 1),
        isFraction ? null : bound.span(context.searcher().getIndexReader()),
        children.group(context),
        within(bound, context),
        finish);
  }

  private void requireOrder(
      String name, @Nullable Ends ends, BoundField bound, QueryContext context) {
    Long min = ends == null ? null : millis(bound, ends.min(), context);
    Long max = ends == null ? null : millis(bound, ends.max(), context);
    if (min != null && max != null && min > max) {
      throw Refusal.badArgument(
          "["
              + name
              + ".min]["
              + min
              + "] cannot be greater than ["
              + name
              + ".max]["
              + max
              + "] for histogram aggregation ["
              + label.name()
              + "]");
    }
  }

  private void requireInside(BoundField bound, QueryContext context) {
    if (hard == null || extended == null) {
      return;
    }
    Long min = millis(bound, hard.min(), context);
    Long max = millis(bound, hard.max(), context);
    Long from = millis(bound, extended.min(), context);
    Long to = millis(bound, extended.max(), context);
    if ((min != null && from != null && from < min) || (max != null && to != null && to > max)) {
      throw Refusal.badArgument(
          "Extended bounds have to be inside hard bounds, hard bounds: ["
              + hard.text()
              + "], extended bounds: ["
              + extended.text()
              + "]");
    }
  }

  private RangeKeys.Filler filler(BoundField bound, QueryContext context) {
    Long min = hard == null ? null : millis(bound, hard.min(), context);
    Long max = hard == null ? null : millis(bound, hard.max(), context);
    return (least, greatest, into) -> {
      long from = min == null ? least.docValue() : Math.max(least.docValue(), min);
      long to = max == null ? greatest.docValue() : Math.min(greatest.docValue(), max);
      if (from > to) {
        return;
      }
      if (from == Long.MIN_VALUE || to == Long.MAX_VALUE) {
        throw Reduction.tooManyBuckets(Reduction.BUCKETS_MAX);
      }
      long last = rounding.round(to);
      int keys = 0;
      for (long key = rounding.round(from); key <= last; key = rounding.next(key)) {
        if (++keys > Reduction.BUCKETS_MAX) {
          throw Reduction.tooManyBuckets(Reduction.BUCKETS_MAX);
        }
        into.add(key);
      }
    };
  }

  private LongPredicate within(BoundField bound, QueryContext context) {
    if (hard == null) {
      return _ -> true;
    }
    Long min = rounded(bound, hard.min(), context);
    Long max = rounded(bound, hard.max(), context);
    return key -> (min == null || key >= min) && (max == null || key < max);
  }

  /// Bounds are those of buckets that no offset moves.
  private @Nullable Long rounded(BoundField bound, @Nullable JsonNode end, QueryContext context) {
    Long millis = millis(bound, end, context);
    return millis == null ? null : (Long) rounding.roundUnmoved(millis);
  }

  private @Nullable Long moved(@Nullable Long start) {
    return start == null ? null : (Long) rounding.moved(start);
  }

  private static @Nullable Long millis(
      BoundField bound, @Nullable JsonNode end, QueryContext context) {
    if (end == null) {
      return null;
    }
    if (end.isNumber()) {
      return end.longValue();
    }
    long value = bound.shown().format().toDocValue(end, false, context.nowMillis());
    if (bound.kind().isFloating()) {
      return (long) bound.toDouble(value);
    }
    return bound.kind() == ValuesKind.DATE_NANOS ? Math.floorDiv(value, NANOS_PER_MILLI) : value;
  }

  @Override
  public Partial empty() {
    return new HistogramPartial(this, List.of(), Reach.NONE, DisplayFormat.plain(PlainFormat.LONG));
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return HistogramPartial.read(in, this);
  }

  @Override
  public String typeName() {
    return "date_histogram";
  }

  @Override
  public BucketSpan span(Object key) {
    return new BucketSpan(rounding, (long) key);
  }

  @Override
  public Object next(Object key) {
    return rounding.next((long) key);
  }

  @Override
  public String text(Object key, DisplayFormat shown) {
    long millis = (long) key;
    if (shown.kind().isFloating()) {
      return shown.showsText() ? shown.format().toText((double) millis) : Long.toString(millis);
    }
    return shown
        .format()
        .toText(shown.kind() == ValuesKind.DATE_NANOS ? millis * NANOS_PER_MILLI : millis);
  }

  /// Numbers with fractions, of which the whole part counts. Their buckets are not numbered before.
  record Fractions(Rounding rounding, BoundField field) implements Grid {
    @Override
    public long key(long docValue) {
      return rounding.round((long) field.toDouble(docValue));
    }

    @Override
    public long next(long key) {
      return rounding.next(key);
    }

    @Override
    public long firstValue(long key) {
      return field.firstAtLeast((double) key);
    }

    @Override
    public Object shownKey(long key) {
      return key;
    }
  }

  /// @param perMilli doc values in a millisecond
  record Dates(Rounding rounding, long perMilli) implements Grid {
    @Override
    public long key(long docValue) {
      return rounding.round(perMilli == 1 ? docValue : Math.floorDiv(docValue, perMilli));
    }

    @Override
    public void keys(long[] docValues, int count, long[] keys) {
      if (perMilli == 1) {
        System.arraycopy(docValues, 0, keys, 0, count);
      } else {
        for (int i = 0; i < count; i++) {
          keys[i] = Math.floorDiv(docValues[i], perMilli);
        }
      }
      rounding.round(keys, count);
    }

    @Override
    public long next(long key) {
      return rounding.next(key);
    }

    @Override
    public long firstValue(long key) {
      return Saturated.times(key, perMilli);
    }

    @Override
    public Object shownKey(long key) {
      return key;
    }
  }
}
