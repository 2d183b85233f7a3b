package dev.holdfast.query.aggregation.bucket.range;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.geo.Distances;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.document.field.geo.GeoPoints.LatLon;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.query.aggregation.metric.Percentiles;
import dev.holdfast.world.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.NumericUtils;
import org.apache.lucene.util.SloppyMath;

/// Points by how far they are from an origin: rings, each from its lower end up to but without its
/// upper end.
///
/// @param metersPerUnit of the unit that the ends are in
public record GeoDistances(
    Label label,
    FieldRequest field,
    LatLon origin,
    double metersPerUnit,
    List<RangeRequest> ranges,
    boolean isKeyed,
    AggregationTree children)
    implements Aggregation, RangePartial.Request {

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    JsonNode from = body.required("origin");
    for (String degrees : List.of("lat", "lon")) {
      ParsedField.check(
          !from.path(degrees).isTextual(),
          body.context(),
          "origin",
          "[" + degrees + "] must be a number");
    }
    LatLon origin = GeoPoints.of(from);
    String unit = body.string("unit", "m");
    body.choice("distance_type", List.of("arc", "plane"));
    return new GeoDistances(
        definition.label(),
        field,
        origin,
        Distances.factor(unit),
        RangeRequest.parse(body, definition.label().name()),
        body.bool("keyed", false),
        definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bind(context, ValuesKind.GEO_POINT);
    if (bound == null) {
      return new Unmapped(empty());
    }
    if (bound.kind() != ValuesKind.GEO_POINT) {
      throw field.unsupported(bound);
    }
    List<RangeBucket> rings = unmapped().ranges();
    IntervalTree tree = tree(rings);
    return new KeyCollecting(
        segment -> open(segment, bound, tree),
        children.group(context),
        (found, _, below) -> {
          below.hold(rings.size());
          List<RangeBucket> counted = new ArrayList<>(rings);
          for (KeyCollecting.Found each : found) {
            int ring = (int) each.key();
            counted.set(ring, rings.get(ring).with(each.count(), below.results(each.ordinal())));
          }
          return new RangePartial(this, counted, DisplayFormat.PLAIN_DOUBLE);
        });
  }

  /// The rings as spans of doubles whose bits are in order.
  private static IntervalTree tree(List<RangeBucket> rings) {
    long[] firsts = new long[rings.size()];
    long[] ends = new long[rings.size()];
    for (int i = 0; i < firsts.length; i++) {
      double to = rings.get(i).to();
      firsts[i] = NumericUtils.doubleToSortableLong(rings.get(i).from());
      ends[i] = Double.isNaN(to) ? Long.MIN_VALUE : NumericUtils.doubleToSortableLong(to);
    }
    return new IntervalTree(firsts, ends);
  }

  private KeyCollecting.Keys open(LeafReaderContext segment, BoundField bound, IntervalTree tree)
      throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(segment.reader(), bound.field());
    return (doc, into) -> {
      if (values.advanceExact(doc)) {
        for (int i = values.docValueCount(); i > 0; i--) {
          add(values.nextValue(), tree, into);
        }
      } else if (bound.hasMissing()) {
        add(bound.missingValue(), tree, into);
      }
    };
  }

  private void add(long encoded, IntervalTree tree, KeySet into) {
    tree.find(NumericUtils.doubleToSortableLong(distance(encoded)), into);
  }

  private double distance(long encoded) {
    double latitude = GeoEncodingUtils.decodeLatitude((int) (encoded >>> 32));
    double longitude = GeoEncodingUtils.decodeLongitude((int) encoded);
    return SloppyMath.haversinMeters(origin.lat(), origin.lon(), latitude, longitude)
        / metersPerUnit;
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
    List<RangeBucket> buckets = new ArrayList<>(ranges.size());
    Results below = children.empty();
    for (RangeRequest range : ranges) {
      double from = number(range.from(), Double.NEGATIVE_INFINITY);
      double to = number(range.to(), Double.POSITIVE_INFINITY);
      String key =
          range.key() == null
              ? (Double.isInfinite(from) ? "*" : Double.toString(from))
                  + "-"
                  + (Double.isInfinite(to) ? "*" : Double.toString(to))
              : range.key();
      buckets.add(
          new RangeBucket(key, Double.isInfinite(from) ? 0 : from, to, buckets.size(), 0, below));
    }
    buckets.sort(RangeBucket.ORDER);
    return new RangePartial(this, buckets, DisplayFormat.PLAIN_DOUBLE);
  }

  private static double number(@org.jspecify.annotations.Nullable JsonNode end, double whenOpen) {
    return end == null ? whenOpen : Percentiles.number(end.asText());
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return RangePartial.read(in, this);
  }

  @Override
  public String typeName() {
    return "geo_distance";
  }

  @Override
  public String text(double end, DisplayFormat shown) {
    return Double.toString(end);
  }

  @Override
  public boolean showsText(DisplayFormat shown) {
    return false;
  }
}
