package dev.holdfast.query.aggregation.column;

import dev.holdfast.document.TermValues;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.BucketOrdinals;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;
import org.jspecify.annotations.Nullable;

/// Numbers from 0 for the values of a field on one shard, whatever their kind, in order of first
/// sight. A term is looked up once a segment.
public final class TermNumbers {
  private static final int REFUSED = -2;
  private static final int UNSEEN = -1;

  private final BoundField field;
  private final TermFilter.@Nullable Terms accepted;
  private final TermFilter.@Nullable Values acceptedValues;
  private final BytesRefHash terms = new BytesRefHash();
  private final BucketOrdinals numbers;
  private final Reservation memory;
  private final SegmentMemory segmentMemory;

  /// @param filter which values get a number
  /// @param name of the aggregation, for messages
  public TermNumbers(BoundField field, TermFilter filter, String name, QueryContext context) {
    this.memory = context.memory();
    this.segmentMemory = new SegmentMemory(memory);
    this.numbers = new BucketOrdinals(memory);
    boolean hasOrdinals = field.kind().hasOrdinals();
    filter.checkExpressions(field, name);
    this.field = field;
    this.accepted = hasOrdinals ? filter.terms(field.shown().format(), memory) : null;
    this.acceptedValues = hasOrdinals ? null : filter.values(field, name, context.nowMillis());
  }

  /// The value of a number: Long, Double or BytesRef, as buckets have it.
  public Object key(long number) {
    if (field.kind().hasOrdinals()) {
      return BytesRef.deepCopyOf(terms.get((int) number, new BytesRef()));
    }
    long value = numbers.value((int) number);
    return field.kind().isFloating() ? (Object) field.toDouble(value) : (Object) value;
  }

  /// Elasticsearch's letter for the kind of values: `s`, `l`, `d`.
  public String letter() {
    return field.kind().hasOrdinals() ? "s" : field.kind().isFloating() ? "d" : "l";
  }

  public KeyCollecting.Keys open(LeafReaderContext segment) throws IOException {
    return field.kind().hasOrdinals() ? ofTerms(segment.reader()) : ofNumbers(segment.reader());
  }

  private KeyCollecting.Keys ofTerms(LeafReader reader) throws IOException {
    SortedSetDocValues values = TermValues.of(reader, field.field());
    segmentMemory.need(values.getValueCount() * Integer.BYTES);
    int[] known = new int[Math.toIntExact(values.getValueCount())];
    Arrays.fill(known, UNSEEN);
    return (doc, into) -> {
      if (values.advanceExact(doc)) {
        for (int i = values.docValueCount(); i > 0; i--) {
          int ordinal = (int) values.nextOrd();
          if (known[ordinal] == UNSEEN) {
            known[ordinal] = number(values.lookupOrd(ordinal));
          }
          add(known[ordinal], into);
        }
      } else if (field.hasMissing() && field.missingTerm() != null) {
        add(number(field.missingTerm()), into);
      }
    };
  }

  private KeyCollecting.Keys ofNumbers(LeafReader reader) throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(reader, field.field());
    return (doc, into) -> {
      if (values.advanceExact(doc)) {
        for (int i = values.docValueCount(); i > 0; i--) {
          add(number(values.nextValue()), into);
        }
      } else if (field.hasMissing()) {
        add(number(field.missingValue()), into);
      }
    };
  }

  private static void add(int number, KeySet into) {
    if (number != REFUSED) {
      into.add(number);
    }
  }

  private int number(BytesRef term) {
    if (accepted != null && !accepted.accepts(term)) {
      return REFUSED;
    }
    int number = terms.add(term);
    return number < 0 ? -number - 1 : number;
  }

  private int number(long value) {
    return acceptedValues != null && !acceptedValues.accepts(value)
        ? REFUSED
        : numbers.add(0, value);
  }

  public BoundField field() {
    return field;
  }
}
