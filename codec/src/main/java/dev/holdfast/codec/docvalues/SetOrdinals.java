package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.index.SortedSetDocValues;

/// The ordinals of all documents of a column, as two columns of numbers.
final class SetOrdinals {
  private SetOrdinals() {}

  /// For each document with terms, how many there are before its own.
  static final class Starts extends ForwardNumbers {
    private final SortedSetDocValues values;
    private long start;
    private int count;

    Starts(SortedSetDocValues values) {
      this.values = values;
    }

    @Override
    public int nextDoc() throws IOException {
      start += count;
      int doc = values.nextDoc();
      count = doc == NO_MORE_DOCS ? 0 : values.docValueCount();
      return doc;
    }

    @Override
    public long longValue() {
      return start;
    }

    @Override
    public int docID() {
      return values.docID();
    }

    @Override
    public long cost() {
      return values.cost();
    }
  }

  /// Of one document after another, as if each were a document's only one.
  static final class Flat extends ForwardNumbers {
    private final SortedSetDocValues values;
    private int left;
    private int at = -1;
    private long ordinal;

    Flat(SortedSetDocValues values) {
      this.values = values;
    }

    @Override
    public int nextDoc() throws IOException {
      if (left == 0) {
        if (values.nextDoc() == NO_MORE_DOCS) {
          at = NO_MORE_DOCS;
          return at;
        }
        left = values.docValueCount();
      }
      left--;
      ordinal = values.nextOrd();
      return ++at;
    }

    @Override
    public long longValue() {
      return ordinal;
    }

    @Override
    public int docID() {
      return at;
    }

    @Override
    public long cost() {
      return values.cost();
    }
  }
}
