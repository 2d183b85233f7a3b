package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.EmptyDocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.SortedSetSelector;

/// A column of terms of which every document has one at most, in two: its terms without documents,
/// for Lucene's writer, and the ordinals as numbers.
final class TermsOnly extends EmptyDocValuesProducer {
  private final DocValuesProducer values;
  private final boolean isSet;

  /// @param isSet whether the column may have several terms a document by its kind
  TermsOnly(DocValuesProducer values, boolean isSet) {
    this.values = values;
    this.isSet = isSet;
  }

  @Override
  public SortedDocValues getSorted(FieldInfo field) throws IOException {
    return new ColumnOrdinals(single(field), DocValues.emptyNumeric());
  }

  @Override
  public SortedSetDocValues getSortedSet(FieldInfo field) throws IOException {
    return DocValues.singleton(getSorted(field));
  }

  DocValuesProducer ordinals() {
    return new EmptyDocValuesProducer() {
      @Override
      public NumericDocValues getNumeric(FieldInfo field) throws IOException {
        return new OrdinalNumbers(single(field));
      }
    };
  }

  private SortedDocValues single(FieldInfo field) throws IOException {
    if (!isSet) {
      return values.getSorted(field);
    }
    SortedSetDocValues set = values.getSortedSet(field);
    SortedDocValues single = DocValues.unwrapSingleton(set);
    return single == null ? SortedSetSelector.wrap(set, SortedSetSelector.Type.MIN) : single;
  }

  private static final class OrdinalNumbers extends NumericDocValues {
    private final SortedDocValues values;

    OrdinalNumbers(SortedDocValues values) {
      this.values = values;
    }

    @Override
    public long longValue() throws IOException {
      return values.ordValue();
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
