package dev.holdfast.query.aggregation.column;

import dev.holdfast.document.TermValues;
import dev.holdfast.query.aggregation.kernel.Collecting;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The ordinals of a keyword or address field of one segment, read a block of documents at a time,
/// forwards only. Documents without a value have the ordinal past the last when something stands in
/// for it.
public final class TermColumn {
  private final SortedSetDocValues many;
  private final @Nullable SortedDocValues single;
  private final long terms;
  private final @Nullable BytesRef missing;
  private final long missingOrdinal;

  /// What was read last: [#count] ordinals, ascending by document.
  public long[] values = new long[Collecting.BLOCK];

  /// Of ordinal `i`, the index into the documents that were asked for.
  public int[] origins = new int[Collecting.BLOCK];

  /// How many ordinals were read last.
  public int count;

  private TermColumn(SortedSetDocValues many, @Nullable BytesRef missing) throws IOException {
    this.many = many;
    this.single = DocValues.unwrapSingleton(many);
    this.terms = many.getValueCount();
    this.missing = missing;
    long found = missing == null ? -1 : many.lookupTerm(missing);
    this.missingOrdinal = missing == null ? -1 : found >= 0 ? found : terms;
  }

  /// @return null when no document of the segment has a term
  public static @Nullable TermColumn open(LeafReader reader, BoundField field) throws IOException {
    SortedSetDocValues values = TermValues.of(reader, field.field());
    return values.getValueCount() == 0 && !field.hasMissing()
        ? null
        : new TermColumn(values, field.missingTerm());
  }

  /// One past the largest ordinal that can be read.
  public long ordinals() {
    return missingOrdinal == terms ? terms + 1 : terms;
  }

  public boolean isSingle() {
    return single != null;
  }

  /// The term of an ordinal; valid until the next call.
  public BytesRef term(long ordinal) throws IOException {
    return ordinal == terms && missing != null ? missing : many.lookupOrd(ordinal);
  }

  /// The ordinal of a term; when no document has it, minus one minus that of the first term behind
  /// it.
  public long find(BytesRef term) throws IOException {
    if (missing != null && missingOrdinal == terms) {
      int order = term.compareTo(missing);
      if (order == 0) {
        return terms;
      }
      if (terms == 0) { // what stands in is all that there is, as for constants
        return order < 0 ? -1 : -2;
      }
    }
    return many.lookupTerm(term);
  }

  public void read(int[] docs, int from, int to) throws IOException {
    count = 0;
    SortedDocValues one = single;
    if (one == null) {
      for (int i = from; i < to; i++) {
        readOne(docs[i], i - from);
      }
      return;
    }
    int read = 0;
    for (int i = from; i < to; i++) {
      if (one.advanceExact(docs[i])) {
        origins[read] = i - from;
        values[read++] = one.ordValue();
      } else if (missingOrdinal >= 0) {
        origins[read] = i - from;
        values[read++] = missingOrdinal;
      }
    }
    count = read;
  }

  /// Reads documents that ascend and may repeat.
  public void readPairs(int[] docs, int size) throws IOException {
    if (single != null) {
      read(docs, 0, size);
      return;
    }
    count = 0;
    int start = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || docs[i] != docs[i - 1]) {
        start = count;
        readOne(docs[i], i);
      } else {
        int length = count - start;
        ensure(count + length);
        System.arraycopy(values, start, values, count, length);
        Arrays.fill(origins, count, count + length, i);
        start = count;
        count += length;
      }
    }
  }

  private void readOne(int doc, int origin) throws IOException {
    if (many.advanceExact(doc)) {
      int more = many.docValueCount();
      ensure(count + more);
      for (int j = 0; j < more; j++) {
        origins[count] = origin;
        values[count++] = many.nextOrd();
      }
    } else if (missingOrdinal >= 0) {
      ensure(count + 1);
      origins[count] = origin;
      values[count++] = missingOrdinal;
    }
  }

  private void ensure(int size) {
    if (size > values.length) {
      values = ArrayUtil.grow(values, size);
      origins = ArrayUtil.growExact(origins, values.length);
    }
  }
}
