package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.WireOutput;
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
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;

/// The mean of one numeric field, each document weighted by another.
public record WeightedAverage(Label label, FieldRequest value, FieldRequest weight)
    implements Aggregation {

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    String format = body.string("format");
    return new WeightedAverage(
        definition.label(), field(body, "value", format), field(body, "weight", null));
  }

  private static FieldRequest field(
      JsonObject body, String name, @org.jspecify.annotations.Nullable String format) {
    body.required(name);
    JsonObject inner = Objects.requireNonNull(body.object(name));
    JsonNode missing = inner.orNull("missing");
    String field = inner.string("field");
    if (field == null || field.isEmpty()) {
      throw Refusal.badArgument("Required one of fields [field, script], but none were specified.");
    }
    inner.done();
    return new FieldRequest(body.context(), field, format, null, missing);
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) {
    BoundField values = value.bindNumeric(context);
    BoundField weights = weight.bindNumeric(context);
    return values == null || weights == null
        ? new Unmapped(empty())
        : new Weighing(values, weights, context.memory());
  }

  @Override
  public Partial empty() {
    return new Result(Moments.NONE, Moments.NONE, DisplayFormat.PLAIN_DOUBLE);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return new Result(Moments.read(in.data()), Moments.read(in.data()), DisplayFormat.read(in));
  }

  /// @param weighted the products
  record Result(Moments weighted, Moments weights, DisplayFormat shown) implements Partial {
    @Override
    public Partial merge(Partial other) {
      Result right = (Result) other;
      return new Result(
          weighted.merge(right.weighted), weights.merge(right.weights), shown.or(right.shown));
    }

    @Override
    public String typeName() {
      return "weighted_avg";
    }

    @Override
    public boolean isSingleNumber() {
      return true;
    }

    @Override
    public double metric(String property) {
      return weighted.total() / weights.total();
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      NumberRendering.write(out, "value", metric(""), weights.total() != 0, shown);
    }

    @Override
    public void write(WireOutput out) throws IOException {
      weighted.write(out);
      weights.write(out);
      shown.write(out);
    }
  }

  private static final class Weighing implements Collecting {
    private final BoundField valueField;
    private final BoundField weightField;
    private final MomentSums weighted;
    private final MomentSums weights;

    Weighing(BoundField valueField, BoundField weightField, Reservation memory) {
      this.weighted = new MomentSums(MomentNeeds.SUM, memory);
      this.weights = new MomentSums(MomentNeeds.SUM, memory);
      this.valueField = valueField;
      this.weightField = weightField;
    }

    @Override
    public Leaf leaf(LeafReaderContext segment) throws IOException {
      LeafReader reader = segment.reader();
      SortedNumericDocValues values = DocValues.getSortedNumeric(reader, valueField.field());
      SortedNumericDocValues weightValues = DocValues.getSortedNumeric(reader, weightField.field());
      return new Leaf() {
        @Override
        public void collect(int[] docs, int from, int to, long bucket) throws IOException {
          for (int i = from; i < to; i++) {
            add(docs[i], bucket);
          }
        }

        @Override
        public void collect(int[] docs, long[] buckets, int count) throws IOException {
          for (int i = 0; i < count; i++) {
            add(docs[i], buckets[i]);
          }
        }

        private void add(int doc, long bucket) throws IOException {
          weighted.ensure(bucket);
          weights.ensure(bucket);
          boolean hasWeight = weightValues.advanceExact(doc);
          if (!hasWeight && !weightField.hasMissing()) {
            return;
          }
          if (hasWeight && weightValues.docValueCount() > 1) {
            throw new Refusal(
                ErrorType.AGGREGATION_EXECUTION,
                "Encountered more than one weight for a single document. Use a script to combine"
                    + " multiple weights-per-doc into a single value.");
          }
          double weight =
              weightField.toDouble(
                  hasWeight ? weightValues.nextValue() : weightField.missingValue());
          for (double value : values(doc)) {
            weighted.add(value * weight, (int) bucket);
            weights.add(weight, (int) bucket);
          }
        }

        private List<Double> values(int doc) throws IOException {
          List<Double> read = new ArrayList<>(1);
          if (values.advanceExact(doc)) {
            for (int i = 0; i < values.docValueCount(); i++) {
              read.add(valueField.toDouble(values.nextValue()));
            }
          } else if (valueField.hasMissing()) {
            read.add(valueField.toDouble(valueField.missingValue()));
          }
          return read;
        }
      };
    }

    @Override
    public Partial result(long bucket) {
      return new Result(weighted.result(bucket), weights.result(bucket), valueField.shown());
    }
  }
}
