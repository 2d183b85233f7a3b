package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import java.io.IOException;
import java.util.function.LongUnaryOperator;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.LeafFieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.comparators.LongComparator;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// A sort by a number computed from all values of a document, or of its nested objects: average,
/// sum, median, least or greatest. Doubles are compared by their sortable bits.
record ComputedKey(
    SortField lucene, ValuesKind kind, ValueFormat format, boolean showsText, long missing)
    implements SortKey {
  /// @param isNarrow whether numbers have 32 bits
  /// @param objects nested objects that have the values; null when documents have
  static SortKey of(
      SortSpec spec,
      ValuesKind kind,
      ValueFormat format,
      boolean isNarrow,
      @Nullable NestedChildren objects) {
    JsonNode value = spec.missingValue();
    long missing =
        value == null
            ? SortKeys.missingRaw(spec, isNarrow)
            : kind.isFloating()
                ? NumericUtils.doubleToSortableLong(value.asDouble())
                : value.asLong();
    SortField field =
        field(spec, missing, new Computing(spec, kind, format, objects, bits -> bits));
    return new ComputedKey(field, kind, format, spec.format() != null, missing);
  }

  /// Lucene's sort by computed numbers.
  static SortField field(SortSpec spec, long missing, Computing computing) {
    FieldComparatorSource source =
        new FieldComparatorSource() {
          @Override
          public FieldComparator<?> newComparator(
              String field, int hits, Pruning pruning, boolean reversed) {
            return new Comparator(hits, field, missing, reversed, computing);
          }
        };
    return new SortField(spec.field(), source, spec.isDescending());
  }

  /// How a document's values become one number.
  ///
  /// @param objects nested objects that have the values; null when documents have
  /// @param cast what is compared in place of the number, a double's sortable bits included
  record Computing(
      SortSpec spec,
      ValuesKind kind,
      ValueFormat format,
      @Nullable NestedChildren objects,
      LongUnaryOperator cast) {}

  @Override
  public @Nullable Object mergeable(@Nullable Object value) {
    if (!(value instanceof Long bits)) {
      return null;
    }
    if (!kind.isFloating()) {
      return bits;
    }
    if (bits == Long.MAX_VALUE || bits == Long.MIN_VALUE) {
      return bits > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }
    return NumericUtils.sortableLongToDouble(bits);
  }

  @Override
  public @Nullable Object resumed(@Nullable Object mergeable) {
    return switch (mergeable) {
      case Double number when number.isInfinite() -> number > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
      case Double number -> NumericUtils.doubleToSortableLong(number);
      case null -> missing;
      default -> mergeable;
    };
  }

  @Override
  public Object after(JsonNode shown, long nowMillis) {
    return switch (shown.asText()) {
      case "Infinity" -> Long.MAX_VALUE;
      case "-Infinity" -> Long.MIN_VALUE;
      default ->
          shown.isNull()
              ? missing
              : kind.isFloating()
                  ? NumericUtils.doubleToSortableLong(shown.asDouble())
                  : shown.asLong();
    };
  }

  @Override
  public @Nullable Object shown(@Nullable Object mergeable) {
    boolean isPlain =
        mergeable instanceof Long bits && (bits == Long.MAX_VALUE || bits == Long.MIN_VALUE);
    return showsText && mergeable instanceof Number number && !isPlain
        ? format.toText(number.doubleValue())
        : mergeable;
  }

  /// Lucene's comparator of longs over the computed numbers.
  private static final class Comparator extends LongComparator {
    private final SortSpec spec;
    private final ValuesKind kind;
    private final ValueFormat format;
    private final @Nullable NestedChildren objects;
    private final LongUnaryOperator cast;

    Comparator(int hits, String field, long missing, boolean reversed, Computing computing) {
      super(hits, field, missing, reversed, Pruning.NONE);
      this.spec = computing.spec();
      this.kind = computing.kind();
      this.format = computing.format();
      this.objects = computing.objects();
      this.cast = computing.cast();
    }

    @Override
    public LeafFieldComparator getLeafComparator(LeafReaderContext context) throws IOException {
      return new LongLeafComparator(context) {
        @Override
        protected NumericDocValues getNumericDocValues(LeafReaderContext leaf, String field)
            throws IOException {
          SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field);
          return new Computed(
              objects == null ? values : objects.numbers(leaf, values), Comparator.this);
        }
      };
    }

    long compute(SortedNumericDocValues values) throws IOException {
      int count = values.docValueCount();
      if (spec.mode() == null
          || spec.mode() == SortSpec.Mode.MIN
          || spec.mode() == SortSpec.Mode.MAX) {
        return extreme(values, count);
      }
      return kind.isFloating() ? computeDouble(values, count) : computeLong(values, count);
    }

    /// Values come in ascending order.
    private long extreme(SortedNumericDocValues values, int count) throws IOException {
      boolean isMax = spec.mode() == null ? spec.isDescending() : spec.mode() == SortSpec.Mode.MAX;
      skip(values, isMax ? count - 1 : 0);
      long bits = values.nextValue();
      return kind.isFloating() ? NumericUtils.doubleToSortableLong(format.toDouble(bits)) : bits;
    }

    private long computeLong(SortedNumericDocValues values, int count) throws IOException {
      if (spec.mode() == SortSpec.Mode.MEDIAN) {
        skip(values, (count - 1) / 2);
        long low = values.nextValue();
        return count % 2 == 1 ? low : Math.round((low + (double) values.nextValue()) / 2);
      }
      long sum = 0;
      for (int i = 0; i < count; i++) {
        sum += values.nextValue();
      }
      return spec.mode() == SortSpec.Mode.SUM ? sum : Math.round((double) sum / count);
    }

    private long computeDouble(SortedNumericDocValues values, int count) throws IOException {
      double result = 0;
      if (spec.mode() == SortSpec.Mode.MEDIAN) {
        skip(values, (count - 1) / 2);
        result = format.toDouble(values.nextValue());
        if (count % 2 == 0) {
          result = (result + format.toDouble(values.nextValue())) / 2;
        }
      } else {
        for (int i = 0; i < count; i++) {
          result += format.toDouble(values.nextValue());
        }
        result = spec.mode() == SortSpec.Mode.SUM ? result : result / count;
      }
      return NumericUtils.doubleToSortableLong(result);
    }

    private static void skip(SortedNumericDocValues values, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        values.nextValue();
      }
    }
  }

  /// The computed number of each document that has values.
  private static final class Computed extends NumericDocValues {
    private final SortedNumericDocValues values;
    private final Comparator comparator;

    Computed(SortedNumericDocValues values, Comparator comparator) {
      this.values = values;
      this.comparator = comparator;
    }

    @Override
    public long longValue() throws IOException {
      return comparator.cast.applyAsLong(comparator.compute(values));
    }

    @Override
    public boolean advanceExact(int target) throws IOException {
      return values.advanceExact(target);
    }

    @Override
    public int docID() {
      return values.docID();
    }

    @Override
    public int nextDoc() throws IOException {
      return values.nextDoc();
    }

    @Override
    public int advance(int target) throws IOException {
      return values.advance(target);
    }

    @Override
    public long cost() {
      return values.cost();
    }
  }
}
