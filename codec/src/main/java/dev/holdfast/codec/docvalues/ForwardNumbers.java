package dev.holdfast.codec.docvalues;

import org.apache.lucene.index.NumericDocValues;

/// Numbers that a writer reads once, from the first document to the last.
abstract class ForwardNumbers extends NumericDocValues {
  @Override
  public final boolean advanceExact(int target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public final int advance(int target) {
    throw new UnsupportedOperationException();
  }
}
