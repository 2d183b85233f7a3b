package dev.holdfast.codec.docvalues;

import dev.holdfast.codec.terms.PackedTermsEnum;
import dev.holdfast.codec.terms.PackedTermsReader;
import java.io.IOException;
import org.apache.lucene.codecs.lucene90.IndexedDISI;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Documents with any number of terms each.
final class ColumnTermSets extends SortedSetDocValues {
  /// A reader of the same terms that is nobody else's.
  @FunctionalInterface
  interface Terms {
    PackedTermsReader open() throws IOException;
  }

  private final Terms opening;
  private final PackedTermsReader terms;
  private final ColumnBlocks starts;
  private final int withTerms;
  private final ColumnBlocks ordinals;
  private final int total;
  private final int documents;

  /// Null where every document has terms.
  private final @Nullable IndexedDISI docs;

  private int doc = -1;
  private int next;
  private int count;

  ColumnTermSets(
      Terms opening,
      ColumnBlocks starts,
      int withTerms,
      ColumnBlocks ordinals,
      int total,
      int documents,
      @Nullable IndexedDISI docs)
      throws IOException {
    this.opening = opening;
    this.terms = opening.open();
    this.starts = starts;
    this.withTerms = withTerms;
    this.ordinals = ordinals;
    this.total = total;
    this.documents = documents;
    this.docs = docs;
  }

  private void begin(int index) throws IOException {
    long start = starts.get(index);
    long end = index + 1 < withTerms ? starts.get(index + 1) : total;
    if (start < 0 || start >= end || end > total) {
      throw terms.damage("terms of a document from " + start + " to " + end + " of " + total);
    }
    next = (int) start;
    count = (int) (end - start);
  }

  @Override
  public long nextOrd() throws IOException {
    return terms.require(ordinals.get(next++));
  }

  @Override
  public int docValueCount() {
    return count;
  }

  @Override
  public BytesRef lookupOrd(long ord) throws IOException {
    return terms.term(ord);
  }

  @Override
  public long lookupTerm(BytesRef key) throws IOException {
    return terms.lookup(key);
  }

  @Override
  public long getValueCount() {
    return terms.size();
  }

  @Override
  public TermsEnum termsEnum() throws IOException {
    return new PackedTermsEnum(opening.open());
  }

  @Override
  public boolean advanceExact(int target) throws IOException {
    if (docs == null) {
      doc = target;
      begin(target);
      return true;
    }
    boolean isThere = docs.advanceExact(target);
    doc = target;
    if (isThere) {
      begin(docs.index());
    }
    return isThere;
  }

  @Override
  public int docID() {
    return docs == null ? doc : docs.docID();
  }

  @Override
  public int nextDoc() throws IOException {
    return advance(docID() + 1);
  }

  @Override
  public int advance(int target) throws IOException {
    if (docs == null) {
      doc = target >= documents ? NO_MORE_DOCS : target;
      if (doc != NO_MORE_DOCS) {
        begin(doc);
      }
      return doc;
    }
    int found = docs.advance(target);
    if (found != NO_MORE_DOCS) {
      begin(docs.index());
    }
    return found;
  }

  @Override
  public long cost() {
    return withTerms;
  }
}
