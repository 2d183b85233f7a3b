package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;

/// Multi-valued numbers of which every document has one at most, as single-valued ones.
final class SingleValues extends NumericDocValues {
  private final SortedNumericDocValues values;

  SingleValues(SortedNumericDocValues values) {
    this.values = values;
  }

  @Override
  public long longValue() throws IOException {
    return values.nextValue();
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
