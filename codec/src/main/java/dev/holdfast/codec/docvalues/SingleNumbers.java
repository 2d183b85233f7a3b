package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;

/// One number of each document that has any, of doc values of another kind.
final class SingleNumbers extends ForwardNumbers {
  /// The number of the document that is looked at.
  @FunctionalInterface
  private interface Reading {
    long read() throws IOException;
  }

  private final DocIdSetIterator documents;
  private final Reading number;

  private SingleNumbers(DocIdSetIterator documents, Reading number) {
    this.documents = documents;
    this.number = number;
  }

  /// The ordinals of documents with one term at most.
  static SingleNumbers ordinals(SortedDocValues values) {
    return new SingleNumbers(values, values::ordValue);
  }

  /// Multi-valued numbers of which every document has one at most.
  static SingleNumbers values(SortedNumericDocValues values) {
    return new SingleNumbers(values, values::nextValue);
  }

  @Override
  public long longValue() throws IOException {
    return number.read();
  }

  @Override
  public int docID() {
    return documents.docID();
  }

  @Override
  public int nextDoc() throws IOException {
    return documents.nextDoc();
  }

  @Override
  public long cost() {
    return documents.cost();
  }
}
