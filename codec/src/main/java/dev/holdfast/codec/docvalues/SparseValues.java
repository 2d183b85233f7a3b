package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.codecs.lucene90.IndexedDISI;
import org.apache.lucene.index.NumericDocValues;

/// A column in which some documents have a value.
final class SparseValues extends NumericDocValues {
  private final ColumnBlocks blocks;
  private final IndexedDISI docs;

  SparseValues(ColumnBlocks blocks, IndexedDISI docs) {
    this.blocks = blocks;
    this.docs = docs;
  }

  @Override
  public long longValue() throws IOException {
    return blocks.get(docs.index());
  }

  @Override
  public void longValues(
      int size, int[] wanted, int docsOffset, long[] values, int valuesOffset, long defaultValue)
      throws IOException {
    if (size == 0) {
      return;
    }
    int first = wanted[docsOffset];
    int last = wanted[docsOffset + size - 1];
    if (last - first == size - 1 && advanceExact(first) && docs.docIDRunEnd() > last) {
      blocks.copy(docs.index(), size, values, valuesOffset);
      if (!advanceExact(last)) {
        throw new IllegalStateException("a run of documents ends early [doc=" + last + "]");
      }
      return;
    }
    // Each first call may have moved to `first` already; asking for it again is allowed.
    super.longValues(size, wanted, docsOffset, values, valuesOffset, defaultValue);
  }

  @Override
  public boolean advanceExact(int target) throws IOException {
    return docs.advanceExact(target);
  }

  @Override
  public int docID() {
    return docs.docID();
  }

  @Override
  public int nextDoc() throws IOException {
    return docs.nextDoc();
  }

  @Override
  public int advance(int target) throws IOException {
    return docs.advance(target);
  }

  @Override
  public long cost() {
    return docs.cost();
  }

  @Override
  public int docIDRunEnd() throws IOException {
    return docs.docIDRunEnd();
  }
}
