package dev.holdfast.query;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LongValuesSource;
import org.jspecify.annotations.Nullable;

/// The numbers of a numeric field, document by document.
public record FieldNumbers(String field, ValuesKind kind, ValueFormat format) {
  private static final double NANOS_PER_MILLI = 1_000_000;

  /// @throws Refusal when the field is not numeric or has no doc values
  public static FieldNumbers of(QueryContext context, String field) {
    FieldType type = context.type(field);
    if (type == null) {
      throw Refusal.badArgument("Unable to find a field mapper for field [" + field + "]");
    }
    if (!type.values().isNumeric()) {
      throw Refusal.badArgument(
          "field ["
              + field
              + "] is of type ["
              + type.typeName()
              + "], but only numeric types are supported.");
    }
    return new FieldNumbers(context.path(field), type.values(), type.format(null, null));
  }

  /// Numbers of one segment. Dates are milliseconds.
  public Values in(LeafReaderContext leaf) throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field);
    return new Values(this, values, DocValues.unwrapSingleton(values));
  }

  public double toNumber(long docValue) {
    double number = format.toDouble(docValue);
    return kind == ValuesKind.DATE_NANOS ? number / NANOS_PER_MILLI : number;
  }

  /// Numbers of one segment, ascending in each document.
  ///
  /// @param single the same, where no document has several
  public record Values(
      FieldNumbers numbers, SortedNumericDocValues docValues, @Nullable NumericDocValues single) {
    public boolean advanceExact(int doc) throws IOException {
      return single == null ? docValues.advanceExact(doc) : single.advanceExact(doc);
    }

    public int count() {
      return single == null ? docValues.docValueCount() : 1;
    }

    public double next() throws IOException {
      return numbers.toNumber(single == null ? docValues.nextValue() : single.longValue());
    }
  }

  /// The least number of each document.
  DoubleValuesSource toDoubleValuesSource() {
    return new Least(this);
  }

  public LongValuesSource toLongValuesSource() {
    return toDoubleValuesSource().toLongValuesSource();
  }

  private static final class Least extends DoubleValuesSource {
    private final FieldNumbers numbers;

    Least(FieldNumbers numbers) {
      this.numbers = numbers;
    }

    @Override
    public DoubleValues getValues(LeafReaderContext leaf, DoubleValues scores) throws IOException {
      Values values = numbers.in(leaf);
      return new DoubleValues() {
        @Override
        public double doubleValue() throws IOException {
          return values.next();
        }

        @Override
        public boolean advanceExact(int doc) throws IOException {
          return values.advanceExact(doc);
        }
      };
    }

    @Override
    public boolean needsScores() {
      return false;
    }

    @Override
    public DoubleValuesSource rewrite(IndexSearcher searcher) {
      return this;
    }

    @Override
    public int hashCode() {
      return numbers.field().hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Least least && least.numbers.field().equals(numbers.field());
    }

    @Override
    public String toString() {
      return "numbers(" + numbers.field() + ")";
    }

    @Override
    public boolean isCacheable(LeafReaderContext leaf) {
      return DocValues.isCacheable(leaf, numbers.field());
    }
  }
}
