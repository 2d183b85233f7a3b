package dev.holdfast.query.aggregation.bucket.histogram;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.Bins;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.NumberBlock;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// Buckets of a numeric field, each `interval` wide. Keys are doubles.
public record NumericHistogram(
    Label label,
    FieldRequest field,
    double interval,
    double offset,
    BucketOrder order,
    long minDocCount,
    boolean isKeyed,
    @Nullable Ends extended,
    @Nullable Ends hard,
    AggregationTree children)
    implements Aggregation, HistogramRequest {

  /// Both ends count.
  record Ends(double min, double max) {
    static @Nullable Ends parse(@Nullable JsonObject ends) {
      if (ends == null) {
        return null;
      }
      Ends parsed =
          new Ends(
              ends.orNull("min") == null
                  ? Double.NEGATIVE_INFINITY
                  : ends.doubleValue("min", Double.NEGATIVE_INFINITY),
              ends.orNull("max") == null
                  ? Double.POSITIVE_INFINITY
                  : ends.doubleValue("max", Double.POSITIVE_INFINITY));
      ends.done();
      if (parsed.min > parsed.max) {
        throw Refusal.badArgument(
            "max bound [" + parsed.max + "] must be greater than min bound [" + parsed.min + "]");
      }
      return parsed;
    }

    /// Whether no end of another that is given lies outside.
    boolean holds(Ends other) {
      return (Double.isInfinite(other.min) || other.min >= min)
          && (Double.isInfinite(other.max) || other.max <= max);
    }

    String text() {
      return (Double.isInfinite(min) ? "null" : Double.toString(min))
          + "--"
          + (Double.isInfinite(max) ? "null" : Double.toString(max));
    }
  }

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    if (!body.has("interval")) {
      throw Refusal.badArgument("interval must be positive, got: 0.0");
    }
    double interval = body.doubleValue("interval", 0);
    ParsedField.check(
        interval > 0,
        body.context(),
        "interval",
        "[interval] must be >0 for histogram aggregation [" + definition.label().name() + "]");
    double offset = body.doubleValue("offset", 0);
    requireFinite(body, "interval", interval);
    requireFinite(body, "offset", offset);
    long minDocCount = body.longValue("min_doc_count", 0);
    ParsedField.check(
        minDocCount >= 0,
        body.context(),
        "min_doc_count",
        "[min_doc_count] must be greater than or equal to 0. Found ["
            + minDocCount
            + "] in ["
            + definition.label().name()
            + "]");
    return new NumericHistogram(
        definition.label(),
        field,
        interval,
        offset,
        BucketOrder.parse(body.take("order"), BucketOrder.KEY_ASCENDING),
        minDocCount,
        body.bool("keyed", false),
        Ends.parse(body.object("extended_bounds")),
        Ends.parse(body.object("hard_bounds")),
        definition.children());
  }

  private static void requireFinite(JsonObject body, String name, double number) {
    ParsedField.check(
        Double.isFinite(number),
        body.context(),
        name,
        "[" + name + "] must be a finite number, got: " + number);
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    if (hard != null && extended != null && !hard.holds(extended)) {
      throw Refusal.badArgument(
          "Extended bounds have to be inside hard bounds, hard bounds: ["
              + hard.text()
              + "], extended bounds: ["
              + extended.text()
              + "]");
    }
    BoundField bound = field.bind(context, ValuesKind.DOUBLE);
    if (bound == null) {
      return new Unmapped(empty());
    }
    if (bound.kind() == ValuesKind.RANGE && !bound.typeName().equals("ip_range")) {
      return RangeKeys.collecting(
          bound,
          context,
          children,
          (least, greatest, into) -> addSteps(bound, least, greatest, into),
          this::keyOf,
          buckets -> new HistogramPartial(this, buckets, reach(), bound.shown()));
    }
    if (!bound.kind().isNumeric()) {
      throw field.unsupported(bound);
    }
    LongPredicate within =
        hard == null ? _ -> true : key -> keyOf(key) >= hard.min() && keyOf(key) <= hard.max();
    return new HistogramCollecting(
        bound,
        new Steps(this, bound),
        bound.span(context.searcher().getIndexReader()),
        children.group(context),
        within,
        buckets -> new HistogramPartial(this, buckets, reach(), bound.shown()));
  }

  private void addSteps(
      BoundField bound, RangeKeys.End least, RangeKeys.End greatest, KeySet into) {
    double from = least.isOpen() ? Double.NEGATIVE_INFINITY : bound.toDouble(least.docValue());
    double to = greatest.isOpen() ? Double.POSITIVE_INFINITY : bound.toDouble(greatest.docValue());
    if (hard != null) {
      from = Math.max(from, hard.min());
      to = Math.min(to, hard.max());
    }
    long last = step(to);
    long first = step(from);
    if ((double) last - first > Reduction.BUCKETS_MAX) {
      throw Reduction.tooManyBuckets(Reduction.BUCKETS_MAX);
    }
    // The last of all steps has none behind it.
    for (long more = first <= last ? last - first : -1; more >= 0; more--) {
      into.add(last - more);
    }
  }

  private Reach reach() {
    return extended == null ? Reach.NONE : new Reach(end(extended.min()), end(extended.max()));
  }

  private @Nullable Object end(double number) {
    return Double.isFinite(number) ? (Object) keyOf(step(number)) : null;
  }

  private long step(double number) {
    return (long) Math.floor((number - offset) / interval);
  }

  private double keyOf(long step) {
    return step * interval + offset;
  }

  @Override
  public Partial empty() {
    return new HistogramPartial(this, List.of(), reach(), DisplayFormat.PLAIN_DOUBLE);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return HistogramPartial.read(in, this);
  }

  @Override
  public String typeName() {
    return "histogram";
  }

  @Override
  public Object next(Object key) {
    double next = keyOf(Math.round(((double) key - offset) / interval) + 1);
    if (next <= (double) key) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "[interval] " + interval + " is too small for the numbers of the histogram");
    }
    return next;
  }

  @Override
  public String text(Object key, DisplayFormat shown) {
    return shown.format().toText((double) key);
  }

  private static final class Steps implements Grid {
    private final NumericHistogram request;
    private final BoundField field;
    private final NumberBlock numbers;

    Steps(NumericHistogram request, BoundField field) {
      this.request = request;
      this.field = field;
      this.numbers = new NumberBlock(field);
    }

    @Override
    public long key(long docValue) {
      return request.step(field.toDouble(docValue));
    }

    @Override
    public void keys(long[] docValues, int count, long[] keys) {
      double[] decoded = numbers.decode(docValues, count);
      double interval = request.interval;
      double offset = request.offset;
      for (int i = 0; i < count; i++) {
        keys[i] = (long) Math.floor((decoded[i] - offset) / interval);
      }
    }

    @Override
    public long next(long key) {
      return key + 1;
    }

    @Override
    public long firstValue(long key) {
      long low = field.valueMin();
      long high = field.valueMax();
      while (low < high) {
        long middle = (low & high) + ((low ^ high) >> 1);
        if (key(middle) >= key) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }

    @Override
    public Object shownKey(long key) {
      return request.keyOf(key);
    }

    /// By arithmetic: bounds of doubles are not evenly spaced as doc values.
    @Override
    public void bins(GridCells cells, long[] docValues, int count, long[] bins) {
      keys(docValues, count, bins);
      long first = cells.key(0);
      for (int i = 0; i < count; i++) {
        bins[i] -= first;
      }
    }

    @Override
    public GridCells cells(BoundField.Span span) {
      if (span.isEmpty()
          || (double) key(span.max()) - (double) key(span.min()) >= Bins.BINS_MAX / 4.0) {
        return GridCells.NONE;
      }
      return Grid.super.cells(span);
    }
  }
}
