package dev.holdfast.query.sort;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;

/// The numbers of the nested objects of a document, as if they were its own.
final class NestedNumbers extends SortedNumericDocValues {
  private final NestedChildren.Block block;
  private final SortedNumericDocValues values;
  private long[] gathered = new long[4];
  private int count;
  private int next;
  private int document = -1;

  NestedNumbers(NestedChildren.Block block, SortedNumericDocValues values) {
    this.block = block;
    this.values = values;
  }

  @Override
  public boolean advanceExact(int target) throws IOException {
    next = 0;
    if (target == document) {
      // Asked again: values of objects are read in one direction only.
      return count > 0;
    }
    document = target;
    count = 0;
    block.open(target);
    for (int object = block.next();
        object != DocIdSetIterator.NO_MORE_DOCS;
        object = block.next()) {
      if (values.advanceExact(object)) {
        int more = values.docValueCount();
        gathered = ArrayUtil.grow(gathered, count + more);
        for (int i = 0; i < more; i++) {
          gathered[count++] = values.nextValue();
        }
      }
    }
    Arrays.sort(gathered, 0, count);
    return count > 0;
  }

  @Override
  public int docValueCount() {
    return count;
  }

  @Override
  public long nextValue() {
    return gathered[next++];
  }

  @Override
  public int docID() {
    return document;
  }

  @Override
  public int nextDoc() {
    throw new UnsupportedOperationException("asked by document only");
  }

  @Override
  public int advance(int target) {
    throw new UnsupportedOperationException("asked by document only");
  }

  @Override
  public long cost() {
    return values.cost();
  }
}
