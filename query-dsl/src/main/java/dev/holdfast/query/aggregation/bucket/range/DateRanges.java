package dev.holdfast.query.aggregation.bucket.range;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PlainFormat;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Buckets of a date field by ranges whose ends may be date math (`now-7d/d`), each from its lower
/// end up to but without its upper end; of numbers that are milliseconds by ranges of numbers.
public record DateRanges(
    Label label,
    FieldRequest field,
    List<RangeRequest> ranges,
    boolean isKeyed,
    AggregationTree children)
    implements Aggregation, RangePartial.Request {
  private static final long NANOS_PER_MILLI = 1_000_000;

  public static Aggregation parse(Definition definition) {
    return new DateRanges(
        definition.label(),
        FieldRequest.parse(definition.body()),
        RangeRequest.parse(definition.body(), definition.label().name()),
        definition.body().bool("keyed", false),
        definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bindDate(context);
    boolean isDate = bound.kind().isDate();
    if (!isDate && bound.kind() != ValuesKind.LONG && !bound.kind().isFloating()) {
      throw field.unsupported(bound);
    }
    long scale = bound.kind() == ValuesKind.DATE_NANOS ? NANOS_PER_MILLI : 1;
    List<RangeBucket> buckets = new ArrayList<>(ranges.size());
    Results below = children.empty();
    for (RangeRequest range : ranges) {
      double from = millis(bound, range.from(), Double.NEGATIVE_INFINITY, context);
      double to = millis(bound, range.to(), Double.POSITIVE_INFINITY, context);
      String key =
          range.key() == null
              ? end(from, bound.shown()) + "-" + end(to, bound.shown())
              : range.key();
      buckets.add(new RangeBucket(key, from, to, buckets.size(), 0, below));
    }
    buckets.sort(RangeBucket.ORDER);
    long[] firsts = new long[buckets.size()];
    long[] ends = new long[buckets.size()];
    for (int i = 0; i < firsts.length; i++) {
      double from = buckets.get(i).from();
      double to = buckets.get(i).to();
      if (isDate) {
        firsts[i] = Double.isInfinite(from) ? Long.MIN_VALUE : ((long) from) * scale;
        ends[i] = Double.isInfinite(to) ? Long.MAX_VALUE : ((long) to) * scale;
      } else {
        firsts[i] = bound.firstAtLeast(from);
        ends[i] = Double.isInfinite(to) ? Long.MAX_VALUE : bound.firstAtLeast(to);
      }
    }
    return new RangeCollecting(this, bound, buckets, firsts, ends, children.group(context));
  }

  private static double millis(
      BoundField bound, @Nullable JsonNode end, double whenOpen, QueryContext context) {
    if (end == null) {
      return whenOpen;
    }
    if (!bound.kind().isDate()) {
      return number(end);
    }
    // A number is read in the format: a year where it is one of years.
    JsonNode text =
        end.isNumber()
            ? TextNode.valueOf(
                end.doubleValue() == end.longValue()
                    ? Long.toString(end.longValue())
                    : end.asText())
            : end;
    long value = bound.shown().format().toDocValue(text, false, context.nowMillis());
    return bound.kind() == ValuesKind.DATE_NANOS ? Math.floorDiv(value, NANOS_PER_MILLI) : value;
  }

  private static double number(JsonNode end) {
    try {
      return end.isNumber() ? (long) end.doubleValue() : Double.parseDouble(end.asText());
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + end.asText() + "\"", e);
    }
  }

  private String end(double millis, DisplayFormat shown) {
    return Double.isInfinite(millis) ? "*" : text(millis, shown);
  }

  @Override
  public long bucketsAlways() {
    return children.bucketsAlways(ranges.size());
  }

  @Override
  public Partial empty() {
    return new RangePartial(this, List.of(), DisplayFormat.plain(PlainFormat.LONG));
  }

  @Override
  public RangePartial unmapped() {
    List<RangeBucket> buckets = new ArrayList<>(ranges.size());
    Results below = children.empty();
    for (RangeRequest range : ranges) {
      String from = range.from() == null ? "*" : range.from().asText();
      String to = range.to() == null ? "*" : range.to().asText();
      String key = range.key() == null ? from + "-" + to : range.key();
      buckets.add(
          new RangeBucket(
              key, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, buckets.size(), 0, below));
    }
    return new RangePartial(this, buckets, DisplayFormat.plain(PlainFormat.LONG));
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return RangePartial.read(in, this);
  }

  @Override
  public String typeName() {
    return "date_range";
  }

  @Override
  public String text(double end, DisplayFormat shown) {
    if (!shown.kind().isDate()) {
      return shown.format().toText(end);
    }
    long millis = (long) end;
    return shown
        .format()
        .toText(shown.kind() == ValuesKind.DATE_NANOS ? millis * NANOS_PER_MILLI : millis);
  }

  @Override
  public boolean showsText(DisplayFormat shown) {
    return shown.kind().isDate() || shown.showsText();
  }
}
