package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;

/// The ordinals of documents with one term at most, as numbers.
final class SingleOrdinals extends NumericDocValues {
  private final SortedDocValues values;

  SingleOrdinals(SortedDocValues values) {
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
