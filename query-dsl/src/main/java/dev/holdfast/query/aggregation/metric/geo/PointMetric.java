package dev.holdfast.query.aggregation.metric.geo;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PerBucket;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;

/// A metric over the points or shapes of a field: `geo_bounds` and `geo_centroid` differ only in
/// their [Figure].
record PointMetric(Label label, FieldRequest field, Figure figure) implements Aggregation {
  private static final long SUM_BYTES = 128;

  /// What one kind sums up.
  interface Figure {
    String typeName();

    Sum empty();

    Sum read(WireInput in) throws IOException;

    /// Points of one bucket, summed up; changed while a shard collects, never after.
    interface Sum {
      void add(double latitude, double longitude);

      /// Adds a shape.
      ///
      /// @param from of its triangles
      /// @param to after the last of them
      void add(ShapeTriangles triangles, int from, int to);

      /// Adds what another sum of the same kind knows.
      void addAll(Sum other);

      void render(JsonGenerator out) throws IOException;

      double metric(String property);

      void write(WireOutput out) throws IOException;
    }
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    if (ShapeTriangles.has(context, field.field())) {
      String path = context.path(field.field());
      return new Summing(
          context.memory(),
          segment -> {
            ShapeTriangles triangles = ShapeTriangles.read(segment.reader(), path, null);
            return (doc, sum) -> addShape(triangles, doc, sum);
          });
    }
    BoundField bound = field.bind(context, ValuesKind.GEO_POINT);
    if (bound == null) {
      return new Unmapped(empty());
    }
    if (bound.kind() != ValuesKind.GEO_POINT) {
      throw field.unsupported(bound);
    }
    return new Summing(
        context.memory(),
        segment -> {
          SortedNumericDocValues values =
              DocValues.getSortedNumeric(segment.reader(), bound.field());
          return (doc, sum) -> addPoints(values, bound, doc, sum);
        });
  }

  private static void addShape(ShapeTriangles triangles, int doc, Figure.Sum sum) {
    int from = triangles.start(doc);
    int to = triangles.end(doc, from);
    if (to > from) {
      sum.add(triangles, from, to);
    }
  }

  private static void addPoints(
      SortedNumericDocValues values, BoundField bound, int doc, Figure.Sum sum) throws IOException {
    if (values.advanceExact(doc)) {
      for (int i = values.docValueCount(); i > 0; i--) {
        addPoint(values.nextValue(), sum);
      }
    } else if (bound.hasMissing()) {
      addPoint(bound.missingValue(), sum);
    }
  }

  private static void addPoint(long encoded, Figure.Sum sum) {
    sum.add(
        GeoEncodingUtils.decodeLatitude((int) (encoded >>> 32)),
        GeoEncodingUtils.decodeLongitude((int) encoded));
  }

  /// Opens a segment.
  @FunctionalInterface
  private interface Opener {
    Places open(LeafReaderContext segment) throws IOException;
  }

  /// What documents of one segment have in the field, forwards only.
  @FunctionalInterface
  private interface Places {
    void add(int doc, Figure.Sum sum) throws IOException;
  }

  @Override
  public Partial empty() {
    return new Result(figure, figure.empty());
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return new Result(figure, figure.read(in.data()));
  }

  record Result(Figure figure, Figure.Sum sum) implements Partial {
    @Override
    public Partial merge(Partial other) {
      Figure.Sum both = figure.empty();
      both.addAll(sum);
      both.addAll(((Result) other).sum);
      return new Result(figure, both);
    }

    @Override
    public String typeName() {
      return figure.typeName();
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      sum.render(out);
    }

    @Override
    public double metric(String property) {
      return sum.metric(property);
    }

    @Override
    public void write(WireOutput out) throws IOException {
      sum.write(out);
    }
  }

  private final class Summing implements Collecting {
    private final Opener opener;
    private final PerBucket<Figure.Sum> sums;

    Summing(Reservation memory, Opener opener) {
      this.sums =
          new PerBucket<>(
              () -> {
                memory.add(SUM_BYTES);
                return figure.empty();
              },
              memory);
      this.opener = opener;
    }

    @Override
    public Leaf leaf(LeafReaderContext segment) throws IOException {
      return new Documents(opener.open(segment));
    }

    @Override
    public Partial result(long bucket) {
      Figure.Sum sum = sums.find(bucket);
      return sum == null ? empty() : new Result(figure, sum);
    }

    private final class Documents implements Leaf {
      private final Places places;

      Documents(Places places) {
        this.places = places;
      }

      @Override
      public void collect(int[] docs, int from, int to, long bucket) throws IOException {
        Figure.Sum sum = sums.of(bucket);
        for (int i = from; i < to; i++) {
          places.add(docs[i], sum);
        }
      }

      @Override
      public void collect(int[] docs, long[] buckets, int count) throws IOException {
        for (int i = 0; i < count; i++) {
          places.add(docs[i], sums.of(buckets[i]));
        }
      }
    }
  }
}
