package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PerBucket;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.ArrayUtil;

/// How several numeric fields spread, and how each varies with the others, over documents that have
/// them all.
///
/// @param mode which number stands for a document with several
public record MatrixStats(Label label, List<FieldRequest> fields, Mode mode)
    implements Aggregation {
  /// The number that stands for all of a document's.
  enum Mode {
    AVG,
    SUM,
    MEDIAN,
    MIN,
    MAX;

    /// @param numbers ascending, not empty
    double pick(double[] numbers, int count) {
      return switch (this) {
        case AVG -> sum(numbers, count) / count;
        case SUM -> sum(numbers, count);
        case MEDIAN ->
            count % 2 == 1 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
        case MIN -> numbers[0];
        case MAX -> numbers[count - 1];
      };
    }

    private static double sum(double[] numbers, int count) {
      double sum = 0;
      for (int i = 0; i < count; i++) {
        sum += numbers[i];
      }
      return sum;
    }
  }

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    if (body.has("script")) {
      throw new Refusal(
          ErrorType.PARSING,
          "Unexpected token START_OBJECT [script] in [" + definition.label().name() + "]");
    }
    List<String> names = body.strings("fields");
    if (names.isEmpty()) {
      throw new Refusal(
          ErrorType.PARSING,
          "Required [fields] of aggregation [" + definition.label().name() + "]");
    }
    if (names.size() > MatrixSums.SIZE_MAX) {
      throw Refusal.badArgument(
          "[fields] of aggregation ["
              + definition.label().name()
              + "] has ["
              + names.size()
              + "] fields, at most ["
              + MatrixSums.SIZE_MAX
              + "] can be correlated with each other");
    }
    JsonObject missing = body.object("missing");
    List<FieldRequest> fields = new ArrayList<>(names.size());
    for (String name : names) {
      JsonNode standIn = missing == null ? null : missing.take(name);
      fields.add(new FieldRequest(body.context(), name, null, null, standIn));
    }
    if (missing != null) {
      missing.done();
    }
    return new MatrixStats(
        definition.label(), List.copyOf(fields), mode(body.string("mode", "avg")));
  }

  private static Mode mode(String name) {
    for (Mode mode : Mode.values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(name)) {
        return mode;
      }
    }
    throw Refusal.badArgument("Unknown MultiValueMode [" + name + "]");
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    List<BoundField> bound = new ArrayList<>(fields.size());
    List<String> names = new ArrayList<>(fields.size());
    for (FieldRequest field : fields) {
      BoundField one = field.bindNumeric(context);
      if (one != null) {
        bound.add(one);
        names.add(field.field());
      }
    }
    return bound.isEmpty()
        ? new Unmapped(empty())
        : new Correlating(context.memory(), bound, List.copyOf(names), mode);
  }

  @Override
  public Partial empty() {
    return MatrixPartial.NONE;
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return MatrixPartial.read(in.data());
  }

  private static final class Correlating implements Collecting {
    private final Reservation memory;
    private final List<BoundField> fields;
    private final Mode mode;
    private final List<String> names;
    private final PerBucket<MatrixSums> sums;

    /// @param names of the fields, as the request has them
    Correlating(Reservation memory, List<BoundField> fields, List<String> names, Mode mode) {
      this.memory = memory;
      this.sums = new PerBucket<>(this::first, memory);
      this.fields = fields;
      this.mode = mode;
      this.names = names;
    }

    private MatrixSums first() {
      memory.add(MatrixSums.bytes(fields.size()));
      return new MatrixSums(fields.size());
    }

    @Override
    public Leaf leaf(LeafReaderContext segment) throws IOException {
      SortedNumericDocValues[] columns = new SortedNumericDocValues[fields.size()];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = DocValues.getSortedNumeric(segment.reader(), fields.get(i).field());
      }
      return new Rows(columns);
    }

    @Override
    public Partial result(long bucket) {
      MatrixSums found = sums.find(bucket);
      if (found == null) {
        return MatrixPartial.NONE;
      }
      memory.add(found.bytes());
      return new MatrixPartial(names, found.copy());
    }

    private final class Rows implements Leaf {
      private final SortedNumericDocValues[] columns;
      private final double[] row;
      private double[] numbers = new double[4];

      Rows(SortedNumericDocValues[] columns) {
        this.columns = columns;
        this.row = new double[columns.length];
      }

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
        for (int i = 0; i < columns.length; i++) {
          BoundField field = fields.get(i);
          if (columns[i].advanceExact(doc)) {
            row[i] = read(columns[i], field);
          } else if (field.hasMissing()) {
            row[i] = field.toDouble(field.missingValue());
          } else {
            return;
          }
        }
        sums.of(bucket).add(row);
      }

      private double read(SortedNumericDocValues column, BoundField field) throws IOException {
        int count = column.docValueCount();
        numbers = ArrayUtil.grow(numbers, count);
        for (int i = 0; i < count; i++) {
          numbers[i] = field.toDouble(column.nextValue());
        }
        return mode.pick(numbers, count);
      }
    }
  }
}
