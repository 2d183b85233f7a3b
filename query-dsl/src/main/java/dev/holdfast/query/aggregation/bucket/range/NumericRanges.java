package dev.holdfast.query.aggregation.bucket.range;

import com.fasterxml.jackson.databind.JsonNode;
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
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Buckets of a numeric field by ranges, each from its lower end up to but without its upper end.
public record NumericRanges(
    Label label,
    FieldRequest field,
    List<RangeRequest> ranges,
    boolean isKeyed,
    AggregationTree children)
    implements Aggregation, RangePartial.Request {

  public static Aggregation parse(Definition definition) {
    FieldRequest field = FieldRequest.parse(definition.body());
    List<RangeRequest> ranges = RangeRequest.parse(definition.body(), definition.label().name());
    for (RangeRequest range : ranges) {
      number(range.from(), 0);
      number(range.to(), 0);
    }
    return new NumericRanges(
        definition.label(),
        field,
        ranges,
        definition.body().bool("keyed", false),
        definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bindNumeric(context);
    if (bound == null) {
      return new Unmapped(empty());
    }
    List<RangeBucket> buckets = buckets(bound.kind(), bound.shown());
    long[] firsts = new long[buckets.size()];
    long[] ends = new long[buckets.size()];
    for (int i = 0; i < firsts.length; i++) {
      firsts[i] = bound.firstAtLeast(buckets.get(i).from());
      double to = buckets.get(i).to();
      ends[i] = to == Double.POSITIVE_INFINITY ? Long.MAX_VALUE : bound.firstAtLeast(to);
    }
    return new RangeCollecting(this, bound, buckets, firsts, ends, children.group(context));
  }

  private List<RangeBucket> buckets(ValuesKind kind, DisplayFormat shown) {
    List<RangeBucket> buckets = new ArrayList<>(ranges.size());
    Results below = children.empty();
    for (RangeRequest range : ranges) {
      double from = number(range.from(), Double.NEGATIVE_INFINITY);
      double to = number(range.to(), Double.POSITIVE_INFINITY);
      String key = range.key() == null ? end(from, shown) + "-" + end(to, shown) : range.key();
      if (kind == ValuesKind.FLOAT || kind == ValuesKind.HALF_FLOAT) {
        from = rounded(from);
        to = rounded(to);
      }
      buckets.add(new RangeBucket(key, from, to, buckets.size(), 0, below));
    }
    buckets.sort(RangeBucket.ORDER);
    return buckets;
  }

  /// Ends as exact as the field's values: 0.1 as a float is not 0.1 as a double.
  private static double rounded(double end) {
    float single = (float) end;
    return single;
  }

  private String end(double end, DisplayFormat shown) {
    return Double.isInfinite(end)
        ? "*"
        : shown.showsText() ? text(end, shown) : Double.toString(end);
  }

  private static double number(@Nullable JsonNode end, double whenOpen) {
    try {
      return end == null
          ? whenOpen
          : end.isNumber() ? end.doubleValue() : Double.parseDouble(end.asText());
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + end + "\"", e);
    }
  }

  @Override
  public long bucketsAlways() {
    return children.bucketsAlways(ranges.size());
  }

  @Override
  public Partial empty() {
    return new RangePartial(this, List.of(), DisplayFormat.PLAIN_DOUBLE);
  }

  @Override
  public RangePartial unmapped() {
    return new RangePartial(
        this, buckets(ValuesKind.DOUBLE, DisplayFormat.PLAIN_DOUBLE), DisplayFormat.PLAIN_DOUBLE);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return RangePartial.read(in, this);
  }

  @Override
  public String typeName() {
    return "range";
  }

  @Override
  public String text(double end, DisplayFormat shown) {
    return shown.format().toText(end);
  }

  @Override
  public boolean showsText(DisplayFormat shown) {
    return shown.showsText();
  }
}
