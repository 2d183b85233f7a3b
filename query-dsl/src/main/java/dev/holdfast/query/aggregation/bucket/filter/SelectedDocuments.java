package dev.holdfast.query.aggregation.bucket.filter;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;

/// Some documents of one segment, asked for in ascending order (one may be asked for again);
/// deleted ones may be among them. A window of bits is filled in bulk, so that asking is one
/// look-up.
public final class SelectedDocuments {
  private static final int WINDOW = 1 << 16;

  private final Opener opener;
  private final Counter counter;
  private final boolean isNegated;
  private final FixedBitSet window = new FixedBitSet(WINDOW);
  private DocIdSetIterator iterator = DocIdSetIterator.empty();
  private boolean isOpen;
  private int start;
  private int end;

  /// Makes the iterator over the documents, once the first is asked for.
  @FunctionalInterface
  interface Opener {
    DocIdSetIterator open() throws IOException;
  }

  /// How many documents of the segment; -1 when that is as dear as asking each.
  @FunctionalInterface
  interface Counter {
    int count() throws IOException;
  }

  private SelectedDocuments(Opener opener, Counter counter, boolean isNegated) {
    this.opener = opener;
    this.counter = counter;
    this.isNegated = isNegated;
  }

  static SelectedDocuments of(Opener opener, Counter counter) {
    return new SelectedDocuments(opener, counter, false);
  }

  /// All documents but those.
  static SelectedDocuments except(Opener opener) {
    return new SelectedDocuments(opener, () -> -1, true);
  }

  public static SelectedDocuments all(int maxDoc) {
    return new SelectedDocuments(DocIdSetIterator::empty, () -> maxDoc, true);
  }

  static SelectedDocuments none() {
    return new SelectedDocuments(DocIdSetIterator::empty, () -> 0, false);
  }

  public boolean has(int doc) throws IOException {
    if (doc >= end) {
      fill(doc);
    }
    return window.get(doc - start) != isNegated;
  }

  int count() throws IOException {
    return counter.count();
  }

  private void fill(int doc) throws IOException {
    if (!isOpen) {
      iterator = opener.open();
      isOpen = true;
    }
    window.clear();
    start = doc;
    end = doc + WINDOW;
    if (iterator.docID() < start) {
      iterator.advance(start);
    }
    if (iterator.docID() < end) {
      iterator.intoBitSet(end, window, start);
    }
  }
}
