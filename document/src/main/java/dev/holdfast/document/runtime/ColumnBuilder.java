package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.runtime.RuntimeColumn.Dictionary;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.column.BinaryColumn;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.document.column.LongColumn;
import org.apache.lucene.document.column.LongTupleCursor;
import org.apache.lucene.document.column.ObjectTupleCursor;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;
import org.apache.lucene.util.packed.PackedInts;
import org.apache.lucene.util.packed.PackedLongValues;
import org.jspecify.annotations.Nullable;

/// Makes a [RuntimeColumn] of the sources of documents, in the order of their numbers. Values are
/// read as they are when a field of the kind is indexed, and packed every few documents.
final class ColumnBuilder {
  private static final int ROWS_MAX = 256;
  private static final int SOURCE_BYTES_MAX = 1 << 20;
  private static final float OVERHEAD_MAX = PackedInts.DEFAULT;

  private final FieldColumns columns;
  private final SourcePath reader;
  private @Nullable FailedRows failed;
  private final @Nullable BytesRefHash terms;
  private final PackedLongValues.Builder ends = PackedLongValues.monotonicBuilder(OVERHEAD_MAX);
  private final PackedLongValues.Builder values = PackedLongValues.deltaPackedBuilder(OVERHEAD_MAX);
  private int rows;
  private long sourceBytes;
  private int documents;
  private long[] row = new long[4];
  private int inRow;

  /// @param path of the field
  ColumnBuilder(String path, FieldType type) {
    columns = type.newColumns(path);
    reader = new SourcePath(path, type, columns);
    terms = type.values().hasOrdinals() ? new BytesRefHash() : null;
  }

  /// @param source of the next document; null when it has none
  void add(byte @Nullable [] source) {
    if (source != null) {
      reader.read(rows, source);
      sourceBytes += source.length;
    }
    rows++;
    if (rows == ROWS_MAX || sourceBytes >= SOURCE_BYTES_MAX) {
      pack();
    }
  }

  /// Adds what a script made for the next document.
  void add(EmittedRow made) {
    BytesRefHash known = terms;
    if (known == null) {
      for (int i = 0; i < made.size(); i++) {
        put(made.number(i));
      }
    } else {
      for (BytesRef term : made.terms()) {
        int id = known.add(term);
        put(id < 0 ? -id - 1 : id);
      }
    }
    endRow();
  }

  /// Adds the next document, which a script failed on.
  void add(Refusal reason) {
    if (failed == null) {
      failed = new FailedRows();
    }
    failed.add((int) ends.size(), reason);
    endRow();
  }

  /// What is packed takes that much memory.
  long bytes() {
    long bytes = ends.ramBytesUsed() + values.ramBytesUsed();
    bytes += failed == null ? 0 : failed.bytes();
    return terms == null ? bytes : bytes + terms.ramBytesUsed();
  }

  /// What [#finish] takes at most, what is packed included.
  long bytesToFinish() {
    // The packed ordinals and the dictionary are there twice, and two numbers for each term.
    return terms == null ? bytes() : 2 * bytes() + 2L * Integer.BYTES * terms.size();
  }

  private void pack() {
    List<Column> found = new ArrayList<>(1);
    columns.finish(rows, found::add);
    switch (found.isEmpty() ? null : found.getFirst()) {
      case null -> skip(rows);
      case LongColumn numbers -> pack(numbers.tuples());
      case BinaryColumn texts -> pack(texts.tuples());
      case Column other -> throw new IllegalStateException("a column of " + other.getClass());
    }
    columns.clear();
    rows = 0;
    sourceBytes = 0;
  }

  private void skip(int count) {
    for (int i = 0; i < count; i++) {
      ends.add(values.size());
    }
  }

  private void pack(LongTupleCursor numbers) {
    int next = numbers.nextDoc();
    for (int at = 0; at < rows; at++) {
      for (; next == at; next = numbers.nextDoc()) {
        put(numbers.longValue());
      }
      endRow();
    }
  }

  private void pack(ObjectTupleCursor<BytesRef> texts) {
    BytesRefHash known = terms;
    if (known == null) {
      throw new IllegalStateException("terms of a kind that has numbers");
    }
    int next = texts.nextDoc();
    for (int at = 0; at < rows; at++) {
      for (; next != DocIdSetIterator.NO_MORE_DOCS && next == at; next = texts.nextDoc()) {
        int id = known.add(texts.value());
        put(id < 0 ? -id - 1 : id);
      }
      endRow();
    }
  }

  private void put(long value) {
    if (inRow == row.length) {
      row = Arrays.copyOf(row, 2 * inRow);
    }
    row[inRow++] = value;
  }

  private void endRow() {
    Arrays.sort(row, 0, inRow);
    for (int i = 0; i < inRow; i++) {
      values.add(row[i]);
    }
    documents += inRow > 0 ? 1 : 0;
    inRow = 0;
    ends.add(values.size());
  }

  RuntimeColumn finish() {
    if (rows > 0) {
      pack();
    }
    PackedLongValues allEnds = ends.build();
    PackedLongValues all = values.build();
    return terms == null
        ? new RuntimeColumn(allEnds, all, null, false, documents, failed)
        : ordered(allEnds, all, terms);
  }

  /// Turns ids of terms into ordinals, as often as a document has each.
  private RuntimeColumn ordered(PackedLongValues idEnds, PackedLongValues ids, BytesRefHash known) {
    int size = known.size();
    int[] byOrdinal = Arrays.copyOf(known.sort(), size);
    int[] ordinals = new int[size];
    for (int ordinal = 0; ordinal < size; ordinal++) {
      ordinals[byOrdinal[ordinal]] = ordinal;
    }
    PackedLongValues.Builder newEnds = PackedLongValues.monotonicBuilder(OVERHEAD_MAX);
    PackedLongValues.Builder newValues = PackedLongValues.packedBuilder(OVERHEAD_MAX);
    boolean repeats = false;
    long at = 0;
    for (int doc = 0; doc < idEnds.size(); doc++) {
      for (long end = idEnds.get(doc); at < end; at++) {
        put(ordinals[(int) ids.get(at)]);
      }
      Arrays.sort(row, 0, inRow);
      for (int i = 0; i < inRow; i++) {
        repeats |= i > 0 && row[i] == row[i - 1];
        newValues.add(row[i]);
      }
      inRow = 0;
      newEnds.add(newValues.size());
    }
    return new RuntimeColumn(
        newEnds.build(),
        newValues.build(),
        dictionary(known, byOrdinal),
        repeats,
        documents,
        failed);
  }

  private static Dictionary dictionary(BytesRefHash known, int[] byOrdinal) {
    BytesRef view = new BytesRef();
    int length = 0;
    for (int id : byOrdinal) {
      length = Math.addExact(length, known.get(id, view).length);
    }
    byte[] bytes = new byte[length];
    PackedLongValues.Builder starts = PackedLongValues.monotonicBuilder(OVERHEAD_MAX);
    int at = 0;
    for (int id : byOrdinal) {
      BytesRef term = known.get(id, view);
      starts.add(at);
      System.arraycopy(term.bytes, term.offset, bytes, at, term.length);
      at += term.length;
    }
    starts.add(at);
    return new Dictionary(bytes, starts.build());
  }
}
