package dev.holdfast.codec.docvalues;

import dev.holdfast.codec.terms.PackedTermsEnum;
import dev.holdfast.codec.terms.PackedTermsReader;
import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/// Documents with one term at most.
final class ColumnOrdinals extends SortedDocValues {
  private final ColumnTermSets.Terms opening;
  private final PackedTermsReader terms;
  private final NumericDocValues ordinals;

  ColumnOrdinals(ColumnTermSets.Terms opening, NumericDocValues ordinals) throws IOException {
    this.opening = opening;
    this.terms = opening.open();
    this.ordinals = ordinals;
  }

  @Override
  public int ordValue() throws IOException {
    return (int) terms.require(ordinals.longValue());
  }

  @Override
  public BytesRef lookupOrd(int ord) throws IOException {
    return terms.term(ord);
  }

  @Override
  public int lookupTerm(BytesRef key) throws IOException {
    return (int) terms.lookup(key);
  }

  @Override
  public int getValueCount() {
    return (int) terms.size();
  }

  @Override
  public TermsEnum termsEnum() throws IOException {
    return new PackedTermsEnum(opening.open());
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
