package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.TermValues;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.BucketCounts;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;

/// How many values a field of any kind has.
public record ValueCount(Label label, FieldRequest field) implements Aggregation {
  public static Aggregation parse(Definition definition) {
    return new ValueCount(definition.label(), FieldRequest.parse(definition.body()));
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) {
    BoundField counts = field.bindSummary(context, "value_count");
    if (counts != null) {
      return new SummaryCount(counts, context.memory());
    }
    BoundField bound = field.bind(context, ValuesKind.KEYWORD);
    return bound == null ? new Unmapped(empty()) : new Counting(bound, context.memory());
  }

  @Override
  public Partial empty() {
    return new Count(0);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return new Count(in.data().readVLong());
  }

  record Count(long value) implements Partial {
    @Override
    public Partial merge(Partial other) {
      return new Count(value + ((Count) other).value);
    }

    @Override
    public String typeName() {
      return "value_count";
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      out.writeNumberField("value", value);
    }

    @Override
    public boolean isSingleNumber() {
      return true;
    }

    @Override
    public double metric(String property) {
      return value;
    }

    @Override
    public void write(WireOutput out) throws IOException {
      out.writeVLong(value);
    }
  }

  /// How many values a document has.
  @FunctionalInterface
  private interface Values {
    int count(int doc) throws IOException;
  }

  private static final class Counting implements Collecting {
    private final BoundField field;
    private final BucketCounts counts;

    Counting(BoundField field, Reservation memory) {
      this.field = field;
      this.counts = new BucketCounts(memory);
    }

    @Override
    public Leaf leaf(LeafReaderContext segment) throws IOException {
      LeafReader reader = segment.reader();
      Values values = values(reader);
      return new Leaf() {
        @Override
        public void collect(int[] docs, int from, int to, long bucket) throws IOException {
          long count = 0;
          for (int i = from; i < to; i++) {
            count += values.count(docs[i]);
          }
          counts.add(bucket, count);
        }

        @Override
        public void collect(int[] docs, long[] buckets, int count) throws IOException {
          for (int i = 0; i < count; i++) {
            counts.add(buckets[i], values.count(docs[i]));
          }
        }

        @Override
        public boolean collectWhole(long bucket) throws IOException {
          PointValues points = field.hasMissing() ? null : field.points(reader);
          if (points == null) {
            return false;
          }
          counts.add(bucket, points.size());
          return true;
        }
      };
    }

    @Override
    public Partial result(long bucket) {
      return new Count(counts.of(bucket));
    }

    private Values values(LeafReader reader) throws IOException {
      int whenMissing = field.hasMissing() ? 1 : 0;
      if (field.kind().hasOrdinals()) {
        SortedSetDocValues terms = TermValues.repeated(reader, field.field());
        return doc -> terms.advanceExact(doc) ? terms.docValueCount() : whenMissing;
      }
      if (field.kind() == ValuesKind.BINARY) {
        BinaryDocValues binary = DocValues.getBinary(reader, field.field());
        return doc -> binary.advanceExact(doc) ? 1 : whenMissing;
      }
      SortedNumericDocValues numbers = DocValues.getSortedNumeric(reader, field.field());
      return doc -> numbers.advanceExact(doc) ? numbers.docValueCount() : whenMissing;
    }
  }
}
