package dev.holdfast.query.aggregation.bucket.geo;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.bucket.filter.KeyedPartial;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.query.aggregation.metric.geo.ShapeTriangles;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.SortedNumericDocValues;

/// Points and shapes by the cells of a grid over the earth.
public record GeoGrid(
    Label label,
    FieldRequest field,
    PointCells points,
    int size,
    int shardSize,
    AggregationTree children)
    implements Aggregation, KeyedPartial.Request {
  private static final int SIZE_DEFAULT = 10_000;
  private static final double SHARD_SIZE_FACTOR = 1.5;
  private static final int SHARD_SIZE_EXTRA = 10;
  private static final BucketOrder ORDER =
      new BucketOrder(
          List.of(
              new BucketOrder.Criterion("_count", false),
              new BucketOrder.Criterion("_key", false)));

  public static Aggregation geohash(Definition definition) {
    return parse(definition, GeoCells.GEOHASH);
  }

  public static Aggregation geotile(Definition definition) {
    return parse(definition, GeoCells.GEOTILE);
  }

  private static Aggregation parse(Definition definition, GeoCells cells) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    PointCells points = PointCells.parse(body, cells);
    int size = positive(body, "size", SIZE_DEFAULT, definition);
    int shardSize = ParsedField.shardSize(body, definition.label().name());
    if (shardSize == 0) {
      shardSize =
          (int) Math.min(Integer.MAX_VALUE, (long) (size * SHARD_SIZE_FACTOR + SHARD_SIZE_EXTRA));
    }
    return new GeoGrid(
        definition.label(), field, points, size, Math.max(size, shardSize), definition.children());
  }

  private static int positive(JsonObject body, String name, int whenAbsent, Definition definition) {
    int value = body.integer(name, whenAbsent);
    if (value <= 0) {
      throw Refusal.badArgument(
          "["
              + name
              + "] must be greater than 0. Found ["
              + value
              + "] in ["
              + definition.label().name()
              + "]");
    }
    return value;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    if (ShapeTriangles.has(context, field.field())) {
      String path = context.path(field.field());
      return collecting(context, segment -> ShapeCells.read(segment.reader(), path, points)::read);
    }
    BoundField bound = field.bind(context, ValuesKind.GEO_POINT);
    if (bound == null) {
      return new Unmapped(empty());
    }
    if (bound.kind() != ValuesKind.GEO_POINT) {
      throw field.unsupported(bound);
    }
    return collecting(
        context,
        segment -> {
          SortedNumericDocValues values =
              DocValues.getSortedNumeric(segment.reader(), bound.field());
          return (doc, into) -> read(values, bound, doc, into);
        });
  }

  private Collecting collecting(QueryContext context, KeyCollecting.Opener opener)
      throws IOException {
    return new KeyCollecting(
        opener,
        children.group(context),
        (found, _, below) -> {
          List<Bucket> buckets = new ArrayList<>(found.size());
          for (KeyCollecting.Found each : found) {
            buckets.add(each.bucket(each.key(), below));
          }
          return KeyedPartial.best(this, buckets, shardSize);
        });
  }

  private void read(SortedNumericDocValues values, BoundField bound, int doc, KeySet into)
      throws IOException {
    if (values.advanceExact(doc)) {
      for (int i = values.docValueCount(); i > 0; i--) {
        add(values.nextValue(), into);
      }
    } else if (bound.hasMissing()) {
      add(bound.missingValue(), into);
    }
  }

  private void add(long point, KeySet into) {
    long cell = points.cell(point);
    if (cell != PointCells.OUTSIDE) {
      into.add(cell);
    }
  }

  @Override
  public Partial empty() {
    return new KeyedPartial(this, List.of(), 0);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return KeyedPartial.read(in, this);
  }

  @Override
  public String typeName() {
    return points.cells().typeName();
  }

  @Override
  public BucketOrder order() {
    return ORDER;
  }

  @Override
  public String text(Object key) {
    return points.text((long) key);
  }
}
