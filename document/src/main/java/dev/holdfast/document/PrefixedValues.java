package dev.holdfast.document;

import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;

/// Those terms of a field that have a prefix, without it: a run of the field's ordinals.
final class PrefixedValues extends SortedSetDocValues {
  private final SortedSetDocValues all;
  private final long first;
  private final long end;
  private final int prefixLength;
  private final BytesRef view = new BytesRef();
  private long[] found = new long[4];
  private int count;
  private int next;

  private PrefixedValues(SortedSetDocValues all, long first, long end, int prefixLength) {
    this.all = all;
    this.first = first;
    this.end = end;
    this.prefixLength = prefixLength;
  }

  static SortedSetDocValues of(SortedSetDocValues all, BytesRef prefix) throws IOException {
    BytesRef behind = BytesRef.deepCopyOf(prefix);
    behind.bytes[behind.offset + behind.length - 1]++;
    long first = place(all, prefix);
    long end = place(all, behind);
    return first == end
        ? DocValues.emptySortedSet()
        : new PrefixedValues(all, first, end, prefix.length);
  }

  private static long place(SortedSetDocValues all, BytesRef term) throws IOException {
    long ordinal = all.lookupTerm(term);
    return ordinal < 0 ? -ordinal - 1 : ordinal;
  }

  private boolean read() throws IOException {
    count = 0;
    next = 0;
    for (int left = all.docValueCount(); left > 0; left--) {
      long ordinal = all.nextOrd();
      if (ordinal >= first && ordinal < end) {
        if (count == found.length) {
          found = java.util.Arrays.copyOf(found, 2 * count);
        }
        found[count++] = ordinal - first;
      }
    }
    return count > 0;
  }

  @Override
  public boolean advanceExact(int target) throws IOException {
    return all.advanceExact(target) && read();
  }

  @Override
  public long nextOrd() {
    return found[next++];
  }

  @Override
  public int docValueCount() {
    return count;
  }

  @Override
  public BytesRef lookupOrd(long ordinal) throws IOException {
    BytesRef term = all.lookupOrd(first + ordinal);
    view.bytes = term.bytes;
    view.offset = term.offset + prefixLength;
    view.length = term.length - prefixLength;
    return view;
  }

  @Override
  public long getValueCount() {
    return end - first;
  }

  @Override
  public int docID() {
    return all.docID();
  }

  @Override
  public int nextDoc() throws IOException {
    return advance(all.docID() + 1);
  }

  @Override
  public int advance(int target) throws IOException {
    int doc = all.advance(target);
    while (doc != NO_MORE_DOCS && !read()) {
      doc = all.nextDoc();
    }
    return doc;
  }

  @Override
  public long cost() {
    return all.cost();
  }
}
