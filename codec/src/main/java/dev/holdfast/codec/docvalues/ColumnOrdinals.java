package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/// Terms of one place, and which of them a document has from another.
final class ColumnOrdinals extends SortedDocValues {
  private final SortedDocValues terms;
  private final NumericDocValues ordinals;

  ColumnOrdinals(SortedDocValues terms, NumericDocValues ordinals) {
    this.terms = terms;
    this.ordinals = ordinals;
  }

  @Override
  public int ordValue() throws IOException {
    return (int) ordinals.longValue();
  }

  @Override
  public BytesRef lookupOrd(int ord) throws IOException {
    return terms.lookupOrd(ord);
  }

  @Override
  public int lookupTerm(BytesRef key) throws IOException {
    return terms.lookupTerm(key);
  }

  @Override
  public int getValueCount() {
    return terms.getValueCount();
  }

  @Override
  public TermsEnum termsEnum() throws IOException {
    return terms.termsEnum();
  }

  @Override
  public boolean advanceExact(int target) throws IOException {
    return ordinals.advanceExact(target);
  }

  @Override
  public int docID() {
    return ordinals.docID();
  }

  @Override
  public int nextDoc() throws IOException {
    return ordinals.nextDoc();
  }

  @Override
  public int advance(int target) throws IOException {
    return ordinals.advance(target);
  }

  @Override
  public long cost() {
    return ordinals.cost();
  }

  @Override
  public int docIDRunEnd() throws IOException {
    return ordinals.docIDRunEnd();
  }
}
