package dev.holdfast.query.aggregation.column;

import dev.holdfast.query.aggregation.kernel.Collecting;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// A numeric field of one segment, read a block of documents at a time, forwards only.
public final class LongColumn {
  private final SortedNumericDocValues many;
  private final @Nullable NumericDocValues single;
  private final boolean hasMissing;
  private final long missing;

  /// What was read last: [#count] values, ascending by document.
  public long[] values = new long[Collecting.BLOCK];

  /// Of value `i`, the index into the documents that were asked for; not filled when [#isAligned].
  public int[] origins = new int[Collecting.BLOCK];

  /// How many values were read last.
  public int count;

  /// Whether value `i` is the one value of document `i` that was asked for.
  public boolean isAligned;

  private LongColumn(SortedNumericDocValues many, boolean hasMissing, long missing) {
    this.many = many;
    this.single = DocValues.unwrapSingleton(many);
    this.hasMissing = hasMissing;
    this.missing = missing;
  }

  /// @return null when no document of the segment has a value
  public static @Nullable LongColumn open(LeafReader reader, BoundField field) throws IOException {
    if (reader.getFieldInfos().fieldInfo(field.field()) == null && !field.hasMissing()) {
      return null;
    }
    return new LongColumn(
        DocValues.getSortedNumeric(reader, field.field()),
        field.hasMissing(),
        field.missingValue());
  }

  /// Whether documents have at most one value.
  boolean isSingle() {
    return single != null;
  }

  /// The index, into the documents that were asked for, of the one that has value `i`.
  public int origin(int i) {
    return isAligned ? i : origins[i];
  }

  /// Reads documents that strictly ascend.
  public void read(int[] docs, int from, int to) throws IOException {
    int size = to - from;
    if (single == null) {
      readMany(docs, from, to);
      return;
    }
    if (hasMissing) {
      single.longValues(size, docs, from, values, 0, missing);
      count = size;
      isAligned = true;
      return;
    }
    if (single.advanceExact(docs[from]) && single.docIDRunEnd() > docs[to - 1]) {
      single.longValues(size, docs, from, values, 0, 0);
      count = size;
      isAligned = true;
      return;
    }
    isAligned = false;
    count = 0;
    for (int i = from; i < to; i++) {
      if (single.advanceExact(docs[i])) {
        origins[count] = i - from;
        values[count++] = single.longValue();
      }
    }
  }

  /// Reads documents that ascend and may repeat.
  public void readPairs(int[] docs, int size) throws IOException {
    for (int i = 1; i < size; i++) {
      if (docs[i] == docs[i - 1]) {
        readRepeated(docs, size);
        return;
      }
    }
    read(docs, 0, size);
  }

  private void readRepeated(int[] docs, int size) throws IOException {
    isAligned = false;
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
        for (int j = 0; j < length; j++) {
          origins[count + j] = i;
        }
        start = count;
        count += length;
      }
    }
  }

  private void readMany(int[] docs, int from, int to) throws IOException {
    isAligned = false;
    count = 0;
    for (int i = from; i < to; i++) {
      readOne(docs[i], i - from);
    }
  }

  private void readOne(int doc, int origin) throws IOException {
    if (many.advanceExact(doc)) {
      int more = many.docValueCount();
      ensure(count + more);
      for (int j = 0; j < more; j++) {
        origins[count] = origin;
        values[count++] = many.nextValue();
      }
    } else if (hasMissing) {
      ensure(count + 1);
      origins[count] = origin;
      values[count++] = missing;
    }
  }

  private void ensure(int size) {
    if (size > values.length) {
      values = ArrayUtil.grow(values, size);
      origins = ArrayUtil.growExact(origins, values.length);
    }
  }
}
