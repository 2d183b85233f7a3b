package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.Decoding;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.column.NumberBlock;
import dev.holdfast.query.aggregation.column.PointCounts;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.jspecify.annotations.Nullable;

/// A metric that follows from [Moments] of a numeric field: `avg`, `stats` and kin differ only in
/// their [Figure].
public record MomentMetric(Label label, FieldRequest field, Figure figure) implements Aggregation {

  /// What one kind of metric needs and shows.
  public interface Figure {
    String typeName();

    MomentNeeds needs();

    void render(Moments moments, DisplayFormat shown, JsonGenerator out) throws IOException;

    double metric(Moments moments, String property);

    /// Whether it is one number alone.
    default boolean isSingle() {
      return true;
    }

    /// The metric of an `aggregate_metric_double` that it follows from; null for none alone.
    default @Nullable String summary() {
      return null;
    }
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) {
    if (figure == Average.FIGURE) {
      Collecting means = SummaryAverage.of(field, context);
      if (means != null) {
        return means;
      }
    }
    String summary = figure.summary();
    BoundField metric = summary == null ? null : field.bindSummary(context, summary);
    if (metric != null) {
      return new Summing(this, metric, context.memory());
    }
    BoundField bound = field.bindNumeric(context);
    return bound == null ? new Unmapped(empty()) : new Summing(this, bound, context.memory());
  }

  @Override
  public Partial empty() {
    return new Result(figure, Moments.NONE, DisplayFormat.PLAIN_DOUBLE);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return new Result(figure, Moments.read(in.data()), DisplayFormat.read(in));
  }

  public record Result(Figure figure, Moments moments, DisplayFormat shown) implements Partial {
    @Override
    public Partial emptied(Partial empty) {
      return new Result(figure, Moments.NONE, shown);
    }

    @Override
    public Partial merge(Partial other) {
      Result right = (Result) other;
      return new Result(figure, moments.merge(right.moments), shown.or(right.shown));
    }

    @Override
    public String typeName() {
      return figure.typeName();
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      figure.render(moments, shown, out);
    }

    @Override
    public boolean isSingleNumber() {
      return figure.isSingle();
    }

    @Override
    public double metric(String property) {
      return figure.metric(moments, property);
    }

    @Override
    public void write(WireOutput out) throws IOException {
      moments.write(out);
      shown.write(out);
    }
  }

  private static final class Summing implements Collecting {
    private final MomentMetric metric;
    private final BoundField field;
    private final MomentSums sums;
    private final NumberBlock numbers;

    Summing(MomentMetric metric, BoundField field, Reservation memory) {
      this.metric = metric;
      this.field = field;
      this.numbers = new NumberBlock(field);
      this.sums = new MomentSums(metric.figure.needs(), memory);
    }

    @Override
    public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
      LongColumn column = LongColumn.open(segment.reader(), field);
      return column == null ? null : new Values(segment.reader(), column);
    }

    @Override
    public Partial result(long bucket) {
      return new Result(metric.figure, sums.result(bucket), field.shown());
    }

    private final class Values implements Leaf {
      private final LeafReader reader;
      private final LongColumn column;

      Values(LeafReader reader, LongColumn column) {
        this.reader = reader;
        this.column = column;
      }

      @Override
      public void collect(int[] docs, int from, int to, long bucket) throws IOException {
        sums.ensure(bucket);
        column.read(docs, from, to);
        if (!sums.needsNumbers()) {
          sums.addCount((int) bucket, column.count);
        } else if (!Decoding.isWhole(field.kind())
            || !sums.addWhole(column.values, column.count, (int) bucket)) {
          sums.add(numbers.decode(column), column.count, (int) bucket);
        }
      }

      @Override
      public void collect(int[] docs, long[] buckets, int count) throws IOException {
        for (int i = 0; i < count; i++) {
          sums.ensure(buckets[i]);
        }
        column.readPairs(docs, count);
        double[] decoded = numbers.decode(column);
        for (int i = 0; i < column.count; i++) {
          sums.add(decoded[i], (int) buckets[column.origin(i)]);
        }
      }

      @Override
      public boolean collectWhole(long bucket) throws IOException {
        PointValues points =
            sums.needsOnlyExtremes() && !field.hasMissing() ? field.points(reader) : null;
        if (points == null) {
          return false;
        }
        sums.ensure(bucket);
        sums.addExtremes(
            (int) bucket,
            field.toDouble(PointCounts.decode(points.getMinPackedValue())),
            field.toDouble(PointCounts.decode(points.getMaxPackedValue())),
            points.size());
        return true;
      }
    }
  }
}
